package io.tarpon.wire.letter;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Dead letters that one request has put back into the topics they came from, the oldest of each partition first.
///
/// @param ids of the letters, as [DeadLetter#id] has them
/// @param left letters that are no longer whole: they were too large for their topic, and the original is gone
/// @param next what to ask with, as parameter `from`, so that the rest is put back too; null where there is none
public record LettersPutBack(
        List<String> ids, List<String> left, @Nullable String next) {
    public LettersPutBack {
        ids = List.copyOf(ids);
        left = List.copyOf(left);
    }
}

package io.tarpon.wire.letter;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Dead letters, newest first.
///
/// @param more there are older ones than the answer holds
/// @param next what to ask for older ones with, as parameter `before`; null where there is none
public record DeadLetterList(
        List<DeadLetter> letters, boolean more, @Nullable String next) {
    public DeadLetterList {
        letters = List.copyOf(letters);
    }
}

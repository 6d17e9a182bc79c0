package io.tarpon.wire.letter;

import java.util.List;

/// Dead letters, newest first.
///
/// @param more there are older ones than the answer holds
public record DeadLetterList(List<DeadLetter> letters, boolean more) {
    public DeadLetterList {
        letters = List.copyOf(letters);
    }
}

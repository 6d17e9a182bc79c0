package io.tarpon.metadata.history;

import org.jspecify.annotations.Nullable;

/// One call of a client. One that was never answered may have taken effect at any time after it began, or never.
///
/// @param invoked when it began, by the clock of its [History]
/// @param returned when it was answered; [#NEVER] where it was not
/// @param output null where it was not answered
public record Operation<I, O>(
        int client,
        I input,
        long invoked,
        long returned,
        @Nullable O output) {
    static final long NEVER = Long.MAX_VALUE;

    public Operation {
        if (returned <= invoked) {
            throw new IllegalArgumentException(input + " returned at " + returned + ", it began at " + invoked);
        }
        if ((output == null) != (returned == NEVER)) {
            throw new IllegalArgumentException(input + " has an answer exactly where it returned");
        }
    }

    boolean isAnswered() {
        return output != null;
    }

    @Override
    public String toString() {
        return "client " + client + " [" + invoked + ", " + (isAnswered() ? returned + "] " : "…] ") + input
                + (isAnswered() ? " -> " + output : ", no answer");
    }
}

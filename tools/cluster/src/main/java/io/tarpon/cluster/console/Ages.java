package io.tarpon.cluster.console;

import java.time.Duration;
import java.time.Instant;

/// How long ago something was, as people say it: the largest unit, rounded down.
public final class Ages {
    private Ages() {}

    /// `42 s`, `5 min`, `3 h`, `12 d`; what lies ahead, by another machine's clock, was just now.
    public static String between(Instant then, Instant now) {
        var age = Duration.between(then, now);
        if (age.isNegative()) {
            return "0 s";
        }
        if (age.toMinutes() == 0) {
            return age.toSeconds() + " s";
        }
        if (age.toHours() == 0) {
            return age.toMinutes() + " min";
        }
        return age.toDays() == 0 ? age.toHours() + " h" : age.toDays() + " d";
    }
}

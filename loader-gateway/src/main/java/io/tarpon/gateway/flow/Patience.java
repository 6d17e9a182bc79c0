package io.tarpon.gateway.flow;

import java.time.Duration;

/// How long a client may take nothing of its response before it is cut.
///
/// @param alone while there is room for others: a training loop that evaluates or saves takes nothing for minutes
/// @param crowded while three quarters of the places are taken
/// @param leastBytesPerSecond a client that takes less is cut at any time; 0 for none
public record Patience(Duration alone, Duration crowded, long leastBytesPerSecond) {
    public static final Patience UNLIMITED = new Patience(Duration.ofDays(365), Duration.ofDays(365), 0);

    public Patience {
        if (crowded.compareTo(alone) > 0 || leastBytesPerSecond < 0) {
            throw new IllegalArgumentException("patience of " + crowded + " when crowded, " + alone + " else");
        }
    }
}

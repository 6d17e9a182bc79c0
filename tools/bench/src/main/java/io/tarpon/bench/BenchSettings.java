package io.tarpon.bench;

import java.nio.file.Path;
import java.time.Duration;

/// How much is measured.
///
/// @param quick a tenth of the data and shorter runs: to see that it works, not for figures to keep
/// @param rounds runs of each contender, of which the median counts
/// @param folder where the throw-away folder is made
/// @param ownNamespace whether this process is in a network namespace made for it
public record BenchSettings(boolean quick, int rounds, Path folder, boolean ownNamespace) {
    public static final int DEFAULT_ROUNDS = 5;
    public static final int MOST_ROUNDS = 99;

    public BenchSettings {
        if (rounds < 1 || rounds > MOST_ROUNDS) {
            throw new IllegalArgumentException("--rounds must be 1 to " + MOST_ROUNDS);
        }
    }

    /// A tenth of `whole` for a quick run.
    int scaled(int whole) {
        return quick ? whole / 10 : whole;
    }

    /// How long one run of a load lasts.
    Duration runTime() {
        return quick ? Duration.ofMillis(800) : Duration.ofSeconds(2);
    }

    /// Load before anything counts, until the servers' code is compiled.
    Duration warmUp() {
        return quick ? Duration.ofSeconds(3) : Duration.ofSeconds(8);
    }
}

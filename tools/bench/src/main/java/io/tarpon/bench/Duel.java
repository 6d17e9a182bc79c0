package io.tarpon.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Tarpon and its reference in turns, so that what else the machine does meets both.
final class Duel {
    /// Whose run it is.
    enum Turn {
        TARPON,
        REFERENCE
    }

    /// One run; `round` counts from 0.
    interface Contender {
        Sample run(int round) throws IOException;
    }

    /// @param reference empty where there was none to run
    record Outcome(Series tarpon, Optional<Series> reference) {
        @Nullable
        Double cpuRatio() {
            return reference
                    .filter(series -> series.serverCpu() > 0)
                    .map(series -> tarpon.serverCpu() / series.serverCpu())
                    .orElse(null);
        }
    }

    private Duel() {}

    /// Who begins changes from round to round: neither always finds the machine as the other left it.
    static List<Turn> turns(int rounds) {
        var turns = new ArrayList<Turn>(2 * rounds);
        for (int round = 0; round < rounds; round++) {
            var tarponFirst = round % 2 == 0;
            turns.add(tarponFirst ? Turn.TARPON : Turn.REFERENCE);
            turns.add(tarponFirst ? Turn.REFERENCE : Turn.TARPON);
        }
        return turns;
    }

    static Outcome run(int rounds, Contender tarpon, @Nullable Contender reference) throws IOException {
        var ours = new ArrayList<Sample>();
        var theirs = new ArrayList<Sample>();
        for (var turn : turns(rounds)) {
            switch (turn) {
                case TARPON -> ours.add(tarpon.run(ours.size()));
                case REFERENCE -> {
                    if (reference != null) {
                        theirs.add(reference.run(theirs.size()));
                    }
                }
            }
        }
        return new Outcome(new Series(ours), theirs.isEmpty() ? Optional.empty() : Optional.of(new Series(theirs)));
    }
}

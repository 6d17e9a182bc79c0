package io.tarpon.bench;

import io.tarpon.bench.load.Load;
import io.tarpon.bench.load.Request;
import io.tarpon.cluster.plan.Member;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/// Loads of servers as the two sides of a [Duel].
final class Loads {
    private Loads() {}

    /// What a load's work is counted in.
    interface Work {
        long of(Load.Result result);
    }

    /// A load that can be run for as long as one likes.
    interface Timed {
        Sample run(Duration time) throws IOException;
    }

    /// @param url where the requests go
    /// @param servers whose CPU time the load costs
    static Timed of(String url, List<Member> servers, int clients, IntFunction<Supplier<Request>> requests, Work work) {
        return time -> {
            var window = new CpuWindow(servers);
            var result = Load.run(url, clients, time, requests, window::begin);
            return window.end((double) work.of(result), result.seconds());
        };
    }

    static Duel.Outcome duel(BenchSettings settings, Timed tarpon, Optional<Timed> reference) throws IOException {
        return Duel.run(
                settings.rounds(),
                warm(settings, tarpon),
                reference.map(timed -> warm(settings, timed)).orElse(null));
    }

    /// Before its first run that counts a contender runs for long enough to be compiled, and to have its files open.
    private static Duel.Contender warm(BenchSettings settings, Timed contender) {
        return round -> {
            if (round == 0) {
                contender.run(settings.warmUp());
            }
            return contender.run(settings.runTime());
        };
    }

    /// The requests one after the other, again and again.
    static Supplier<Request> cycle(List<Request> requests) {
        var next = new int[1];
        return () -> requests.get(next[0]++ % requests.size());
    }
}

package io.tarpon.bench;

import io.tarpon.bench.disk.FileRange;
import io.tarpon.bench.lab.NginxConfig;
import io.tarpon.bench.load.Load;
import io.tarpon.bench.load.Request;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// The byte path beside nginx: hot shards, random ranges, blocks of other machines.
final class ReadRows {
    private static final int RANGE_BYTES = 100 << 10;
    private static final int RANGE_CLIENTS = 64;
    private static final int RANGES_EACH = 512;
    private static final int REMOTE_CLIENTS = 4;

    /// Of so many answers one has its bytes checked while it counts; before that, all have.
    private static final int CHECKED_OF = 64;

    private static final long SEED = 100;

    private final Bench bench;
    private final ReadLab lab;

    ReadRows(Bench bench, ReadLab lab) {
        this.bench = bench;
        this.lab = lab;
    }

    List<BenchRow> hot() throws IOException {
        var requests = whole(lab.shards().getFirst());
        var goal = Goal.atMost(Goal.Figure.CPU_RATIO, 1.2);
        return lab.allFrom(lab.local(), "local", () -> {
            var tarpon = Loads.of(lab.local().url(), lab.serversBehind(lab.local()), 1, requests, Load.Result::bytes);
            var nginx = lab.nginxFiles()
                    .map(files -> Loads.of(files.url(), List.of(files), 1, requests, Load.Result::bytes));
            return Row.ofBytes(BenchNames.HOT)
                    .rateAndCosts(Loads.duel(bench.settings(), tarpon, nginx), nginx(", sendfile"), goal);
        });
    }

    List<BenchRow> random() throws IOException {
        var goal = Goal.atMost(Goal.Figure.CPU_RATIO, 1.25);
        var tarpon = Loads.of(
                lab.local().url(), lab.serversBehind(lab.local()), RANGE_CLIENTS, ranges(""), Load.Result::requests);
        var nginxRanges = ranges(NginxConfig.RANGES);
        var nginx = lab.nginxFiles()
                .map(files -> Loads.of(files.url(), List.of(files), RANGE_CLIENTS, nginxRanges, Load.Result::requests));
        return lab.allFrom(
                lab.local(),
                "local",
                () -> Row.ofRequests(BenchNames.RANDOM, "requests/s")
                        .rateAndCosts(Loads.duel(bench.settings(), tarpon, nginx), nginx(", sendfile"), goal));
    }

    List<BenchRow> remote() throws IOException {
        var goal = Goal.atMost(Goal.Figure.CPU_RATIO, 1.5);
        var shards = lab.shards();
        IntFunction<Supplier<Request>> requests =
                client -> whole(shards.get(client % shards.size())).apply(client);
        var both = Stream.concat(lab.nginxFiles().stream(), lab.nginxProxy().stream())
                .toList();
        return lab.allFrom(lab.remote(), "remote", () -> {
            var tarpon = Loads.of(
                    lab.remote().url(), lab.serversBehind(lab.remote()), REMOTE_CLIENTS, requests, Load.Result::bytes);
            var nginx = lab.nginxProxy()
                    .map(proxy -> Loads.of(proxy.url(), both, REMOTE_CLIENTS, requests, Load.Result::bytes));
            return Row.ofBytes(BenchNames.REMOTE)
                    .rateAndCosts(Loads.duel(bench.settings(), tarpon, nginx), nginx(", proxy_pass"), goal);
        });
    }

    private String nginx(String use) {
        return bench.tools().nginx().as(use);
    }

    /// The same shard again and again.
    private static IntFunction<Supplier<Request>> whole(ReadLab.Shard shard) {
        var request = Request.get(shard.path(), shard.bytes());
        var checked = request.checked(shard.crc32c());
        return client -> {
            var count = new int[1];
            return () -> count[0]++ % CHECKED_OF == 0 ? checked : request;
        };
    }

    /// For each client its ranges, anywhere in any shard; the same in every run of the program.
    ///
    /// @param prefix of the paths
    private IntFunction<Supplier<Request>> ranges(String prefix) throws IOException {
        var random = new SplittableRandom(SEED);
        var shards = lab.shards();
        var all = new ArrayList<List<Request>>();
        for (int client = 0; client < RANGE_CLIENTS; client++) {
            var own = new ArrayList<Request>();
            for (int i = 0; i < RANGES_EACH; i++) {
                var shard = shards.get(random.nextInt(shards.size()));
                long from = random.nextLong(shard.bytes() - RANGE_BYTES);
                var request = Request.range(prefix + shard.path(), from, RANGE_BYTES);
                own.add(i % CHECKED_OF == 0 ? checked(request, shard, from) : request);
            }
            all.add(own);
        }
        return client -> Loads.cycle(all.get(client));
    }

    private static Request checked(Request request, ReadLab.Shard shard, long from) throws IOException {
        try (var file = new FileRange(shard.file())) {
            return request.checked(file.crc32c(from, RANGE_BYTES));
        }
    }
}

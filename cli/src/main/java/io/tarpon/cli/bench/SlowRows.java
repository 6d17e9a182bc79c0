package io.tarpon.cli.bench;

import io.tarpon.cli.CommandFailure;
import io.tarpon.cli.bench.disk.MachineFacts;
import io.tarpon.cli.bench.load.Load;
import io.tarpon.cli.bench.load.Request;
import io.tarpon.cli.bench.load.SlowReaders;
import io.tarpon.cli.cluster.Member;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// What a thousand slow readers cost the gateway and the others. All blocks are remote, so that what waits for a reader
/// waits in the gateway.
final class SlowRows {
    private static final int READERS = 1_000;
    private static final int BYTES_PER_SECOND = 1 << 10;
    private static final double MIB = 1 << 20;

    private final Bench bench;
    private final ReadLab lab;

    SlowRows(Bench bench, ReadLab lab) {
        this.bench = bench;
        this.lab = lab;
    }

    List<BenchRow> slow() throws IOException {
        var gateway = lab.remote();
        var beside = new ArrayList<Sample>();
        var alone = new ArrayList<Sample>();
        int ended = 0;
        read(gateway);
        for (int round = 0; round < bench.settings().rounds(); round++) {
            alone.add(read(gateway));
            ended = Math.max(ended, besideSlow(gateway, beside));
        }
        if (ended > 0) {
            throw CommandFailure.failed(ended + " of " + READERS + " slow readers were refused or cut", "");
        }
        var peakMiB = MachineFacts.peakResidentBytes(gateway.pid()) / MIB;
        var outcome = new Duel.Outcome(new Series(beside), java.util.Optional.of(new Series(alone)));
        return List.of(
                Row.ofBytes(BenchNames.SLOW)
                        .rate(outcome, "the same reader alone", Goal.atLeast(Goal.Figure.RATIO, 0.8)),
                BenchRow.of(
                        BenchNames.SLOW + "/gateway-peak",
                        "MiB resident",
                        peakMiB,
                        null,
                        null,
                        null,
                        Goal.atMost(Goal.Figure.TARPON, 512)));
    }

    /// Returns how many slow readers did not last.
    private int besideSlow(Member gateway, List<Sample> samples) throws IOException {
        var shard = lab.shards().getLast();
        var request = Request.get(shard.path(), shard.bytes());
        try (var slow = new SlowReaders(gateway.url(), request, READERS, BYTES_PER_SECOND)) {
            slow.start();
            samples.add(read(gateway));
            return slow.ended();
        }
    }

    private Sample read(Member gateway) throws IOException {
        var shard = lab.shards().getFirst();
        var request = Request.get(shard.path(), shard.bytes()).checked(shard.crc32c());
        var window = new CpuWindow(lab.serversBehind(gateway));
        var result = Load.run(gateway.url(), 1, bench.settings().runTime(), client -> () -> request, window::begin);
        return window.end(result.bytes(), result.seconds());
    }
}

package io.tarpon.gateway.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.gateway.body.LaidOutShard;
import io.tarpon.gateway.catalog.Projection;
import io.tarpon.gateway.catalog.SplitLayout;
import io.tarpon.gateway.disk.SumsFolder;
import io.tarpon.gateway.fixture.MadeShard;
import io.tarpon.gateway.order.EpochOrder;
import io.tarpon.gateway.order.Partition;
import io.tarpon.gateway.order.Share;
import io.tarpon.gateway.order.SparseSums;
import io.tarpon.gateway.order.Tail;
import io.tarpon.wire.ShardRef;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whether sums are computed or found.
class EpochPlansTest {
    private static final long MIB = 1 << 20;
    private static final String DIGITS = "0123456789abcdef0123456789abcdef";
    private static final String ETAG = '"' + DIGITS + '"';

    @TempDir
    Path folder;

    private final MadeShard made = MadeShard.of("a", new Random(1), 60, _ -> 1_000);
    private final SplitLayout layout = new SplitLayout(List.of(new LaidOutShard(
            made.sealed(ShardRef.parse("set/v1/train/shard-000000"), 1),
            made.index().layout())));
    private final EpochBytes bytes = new EpochBytes(
            layout,
            Projection.ALL,
            EpochOrder.plain(layout.samples()),
            new Partition(new Share(0, Share.ALL, Tail.KEEP, 1, 1, 0, 1, 0), layout.samples()));

    @Test
    void sumsAreFoundAgainByTheirETagAfterARestart() throws IOException {
        var computed = plans().of(ETAG, bytes).join();
        assertThat(computed.total()).isEqualTo(layout.length());
        var files = SumsFolder.open(folder, MIB);
        assertThat(files.read(DIGITS))
                .hasValueSatisfying(found -> assertThat(found.total()).isEqualTo(computed.total()));

        var told = SparseSums.of(layout.samples(), _ -> 5);
        files.write(DIGITS, told);
        assertThat(plans().of(ETAG, bytes).join().total())
                .as("what the file says")
                .isEqualTo(told.total());
    }

    @Test
    void sumsOfAnotherNumberOfSamplesAreComputedAgain() throws IOException {
        SumsFolder.open(folder, MIB).write(DIGITS, SparseSums.of(layout.samples() + 1, _ -> 5));
        assertThat(plans().of(ETAG, bytes).join().total()).isEqualTo(layout.length());
    }

    private EpochPlans plans() throws IOException {
        return new EpochPlans(Runnable::run, MIB, Optional.of(SumsFolder.open(folder, MIB)));
    }
}

package io.tarpon.metadata.stream;

import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.TRAIN;
import static io.tarpon.metadata.Fixtures.plan;
import static io.tarpon.metadata.Fixtures.seal;

import io.tarpon.metadata.Running;
import io.tarpon.metadata.image.BeginVersion;
import io.tarpon.metadata.image.FailVersion;
import io.tarpon.metadata.image.PlanVersion;
import io.tarpon.metadata.image.SealShard;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.metadata.VersionState;

/// Numbered pieces of work over a few datasets; doing one again changes nothing, so a process that died goes on
/// from the first.
final class Workload {
    private static final int DATASETS = 6;

    private Workload() {}

    static void doPiece(Running running, int number) throws InterruptedException {
        var dataset = new DatasetName("dataset-" + number % DATASETS);
        var version = running.run(new BeginVersion(dataset, "request " + number, SPEC));
        if (number % 5 == 4) {
            running.run(new FailVersion(dataset, version.version(), "piece " + number + " is meant to fail"));
            return;
        }
        if (version.state() == VersionState.PLANNING) {
            running.run(new PlanVersion(dataset, version.version(), plan("plan " + number, 2, 0)));
        }
        for (int shard = 0; shard < 2; shard++) {
            var ref = new ShardRef(dataset, version.version(), TRAIN, new ShardName(shard));
            running.run(new SealShard(ref, seal(shard, "piece " + number)));
        }
    }
}

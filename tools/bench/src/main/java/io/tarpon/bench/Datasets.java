package io.tarpon.bench;

import io.tarpon.bench.lab.Lab;
import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.IngestRun;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.event.DatasetUploaded;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.nio.file.Path;

/// Datasets of a lab.
final class Datasets {
    private Datasets() {}

    /// The sealed version, of which every file became a member.
    static VersionRecord ingest(Lab lab, String source, String name, long shardBytes, int files) {
        return ingest(lab, source, name, shardBytes, files, 0);
    }

    /// @param seed of the samples' order: another one makes other shards, and so other blocks, of the same files
    static VersionRecord ingest(Lab lab, String source, String name, long shardBytes, int files, long seed) {
        var overrides = new DatasetUploaded.SpecOverrides("none", shardBytes, null, seed, null, null, null);
        var request = new DatasetUploaded(source, new DatasetName(name), overrides, false);
        var version = IngestRun.follow(lab.context(), lab.roster(), request);
        if (version.state() != VersionState.SEALED) {
            throw CommandFailure.failed("the dataset " + name + " was not sealed: " + version.reason(), "");
        }
        if (version.samples() != files) {
            throw CommandFailure.failed(
                    "of " + files + " files " + version.samples() + " became samples of " + name, "");
        }
        return version;
    }

    /// A source reference to a folder, which the functions of the lab may read from now on.
    static String folder(Lab lab, Path folder) throws IOException {
        var real = folder.toRealPath();
        lab.context().state().allowSource(real);
        var uri = real.toUri().toString();
        return uri.endsWith("/") ? uri.substring(0, uri.length() - 1) : uri;
    }
}

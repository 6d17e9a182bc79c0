package io.tarpon.metadata;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tarpon.metadata.entry.Entry;
import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.image.BeginVersion;
import io.tarpon.metadata.image.Command;
import io.tarpon.metadata.image.Decision;
import io.tarpon.metadata.image.HeapStore;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.PlanVersion;
import io.tarpon.metadata.image.RaiseLevel;
import io.tarpon.metadata.image.Reads;
import io.tarpon.metadata.image.SealShard;
import io.tarpon.metadata.image.StoredImage;
import io.tarpon.metadata.snapshot.SnapshotHeader;
import io.tarpon.metadata.snapshot.SnapshotWriter;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.Digests;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.FieldTotals;
import io.tarpon.wire.metadata.Inputs;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.metadata.PlannedSplit;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// What one version of so many shards of 256 MiB comes to in the log, in a snapshot and in answers: begun, planned and
/// sealed by the service's own commands, entries and formats.
///
/// A shard has 2,560 samples of 100 KiB with two members each, in 32 blocks.
///
/// @param planEntries that the plan took
/// @param planBytes of these
/// @param sealBytes of the entries that seal the shards, one each
/// @param snapshotPairs of the image once its events are told
/// @param snapshotBytes of it as a snapshot
/// @param pages that its list of shards takes, each as long as may be
/// @param pageBytes of these as JSON, which is what a gateway reads of it, once
/// @param replayMicros that reading and replaying an entry that seals took
record SizedManifests(
        int shards,
        int planEntries,
        long planBytes,
        long sealBytes,
        long snapshotPairs,
        long snapshotBytes,
        int pages,
        long pageBytes,
        double replayMicros) {
    static final long SHARD_BYTES = 256L << 20;
    private static final int SAMPLES = 2_560;
    private static final int BLOCKS = 32;
    private static final int LOG_ID_DIGITS = 32;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final DatasetName DATASET = new DatasetName("pictures");
    private static final SplitName SPLIT = new SplitName("train");
    private static final Instant BEGUN = Instant.parse("2026-01-01T00:00:00Z");
    private static final DatasetSpec SPEC =
            new DatasetSpec("s3://tarpon-raw/pictures", "none", SHARD_BYTES, 1, 7, 2, false, "allow");

    static SizedManifests of(int shards) {
        return new Service(shards).run();
    }

    private static final class Service {
        private final int shards;
        private final HeapStore store = new HeapStore();
        private final Image image = new Image(store);
        private long replayNanos;
        private long bytes;

        private Service(int shards) {
            this.shards = shards;
        }

        private SizedManifests run() {
            apply(new RaiseLevel("0".repeat(LOG_ID_DIGITS), EntryFormat.FORMAT));
            apply(new BeginVersion(DATASET, "request-1", SPEC));
            var version = image.reads().versionOfRequest("request-1").version();
            bytes = 0;
            var planEntries = apply(new PlanVersion(DATASET, version, plan()));
            var planBytes = bytes;
            bytes = 0;
            replayNanos = 0;
            for (int number = 0; number < shards; number++) {
                apply(new SealShard(new ShardRef(DATASET, version, SPLIT, new ShardName(number)), seal(number)));
            }
            var replayMicros = replayNanos / NANOS_PER_MICRO / shards;
            if (image.reads().version(DATASET, version).state() != VersionState.SEALED) {
                throw new IllegalStateException("the version is not sealed");
            }
            image.forgetEvents(image.revision());
            image.save();
            var snapshot = snapshot();
            var pages = 0;
            var pageBytes = 0L;
            for (int from = 0; from < shards; pages++) {
                var page = image.reads().shards(DATASET, version, SPLIT, from, Reads.MAX_ROWS);
                pageBytes += Json.length(page);
                from += page.shards().size();
            }
            return new SizedManifests(
                    shards,
                    planEntries,
                    planBytes,
                    bytes,
                    snapshot.pairs(),
                    snapshot.bytes(),
                    pages,
                    pageBytes,
                    replayMicros);
        }

        /// Decides a command until it has had its effect, and replays each entry through its bytes. Returns how many
        /// there were.
        private int apply(Command<?> command) {
            for (int entries = 1; ; entries++) {
                if (!(image.decide(command) instanceof Decision.Append append)) {
                    throw new IllegalStateException(command.idempotenceKey() + " is not to be appended");
                }
                var entry = EntryFormat.encode(new Entry(
                        command.idempotenceKey(),
                        BEGUN.plusSeconds(image.revision()),
                        null,
                        append.guards(),
                        append.records(),
                        image.logId().orElse(null)));
                bytes += entry.length;
                replay(entry);
                if (append.more() == 0) {
                    return entries;
                }
            }
        }

        private void replay(byte[] entry) {
            var begun = System.nanoTime();
            try {
                if (!image.replay(EntryFormat.decode("here", entry)).applied()) {
                    throw new IllegalStateException("an entry was rejected");
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            replayNanos += System.nanoTime() - begun;
        }

        private SnapshotWriter.Written snapshot() {
            try (var saved = image.saved()) {
                var writer = new SnapshotWriter(
                        OutputStream.nullOutputStream(),
                        new SnapshotHeader(
                                StoredImage.FORMAT,
                                saved.revision(),
                                BEGUN,
                                saved.logId().orElse(null),
                                null));
                saved.scan((key, value) -> {
                    try {
                        writer.add(key, value);
                        return true;
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
                return writer.finish();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private io.tarpon.wire.metadata.PlanVersion plan() {
            var planned = IntStream.range(0, shards)
                    .mapToObj(number -> new PlannedShard(
                            new ShardName(number),
                            SAMPLES,
                            SHARD_BYTES,
                            sha("plan", number),
                            null,
                            ObjectKeys.planName(sha("plan", number))))
                    .toList();
            return new io.tarpon.wire.metadata.PlanVersion(
                    sha("plan of all", shards),
                    false,
                    Inputs.of(2L * SAMPLES * shards, 0, Map.of()),
                    List.of(new PlannedSplit(SPLIT, planned)));
        }

        private static io.tarpon.wire.metadata.SealShard seal(int number) {
            var fields = new TreeMap<>(Map.of(
                    "jpg", new FieldTotals(SAMPLES, SHARD_BYTES - 4L * SAMPLES), "cls", new FieldTotals(SAMPLES, 4)));
            return new io.tarpon.wire.metadata.SealShard(
                    sha("plan", number),
                    SAMPLES,
                    SHARD_BYTES,
                    sha("tar", number),
                    sha("tar", number).substring(0, 8),
                    120_000,
                    sha("index", number),
                    fields,
                    IntStream.range(0, BLOCKS)
                            .map(block -> block * SAMPLES / BLOCKS)
                            .boxed()
                            .toList(),
                    ObjectKeys.planName(sha("attempt", number)));
        }

        private static String sha(String what, int number) {
            return Digests.sha256Hex((what + " " + number).getBytes(UTF_8));
        }
    }
}

package io.tarpon.metadata.image;

import io.tarpon.wire.Digests;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.json.Json;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.TreeMap;

/// The canonical digest of an image: SHA-256 over its parts as JSON lines, in order of their names, revisions
/// included.
final class ImageDigest {
    private final MessageDigest sha = Digests.sha256();

    private ImageDigest() {}

    static String of(Image image) {
        var digest = new ImageDigest();
        digest.line(
                "image",
                image.revision(),
                image.rejected(),
                image.nodesRevision,
                image.nodesFloor,
                image.requestsFloor,
                image.shards);
        digest.line("log", image.logRevision, image.logId().orElse(""), image.level, image.time.toString());
        image.datasets.values().forEach(digest::dataset);
        image.nodes.forEach((id, node) -> digest.line(
                "node",
                node.revision,
                id,
                String.valueOf(node.registration),
                String.valueOf(node.incarnation),
                String.valueOf(node.leftAt)));
        image.pages.forEach(digest::pages);
        new TreeMap<>(image.versionsByRequest)
                .forEach((request, version) -> digest.line("request", request, version.path()));
        return HexFormat.of().formatHex(digest.sha.digest());
    }

    private void dataset(Dataset dataset) {
        line(
                "dataset",
                dataset.specRevision,
                dataset.numbersRevision,
                dataset.sealedRevision,
                dataset.lastNumber,
                String.valueOf(dataset.spec));
        dataset.versions.values().forEach(this::version);
    }

    private void version(Version version) {
        line("version", version.begunRevision, version.lifeRevision, version.path());
        line("life", version.livedAt, version.progressAt, version.collected);
        line("record", version.record(), version.homes, version.plan, version.tables, version.earlier.homes());
        version.earlier.forEach((split, record) -> line("earlier", split, record));
        version.splits.values().forEach(this::split);
    }

    private void pages(VersionName version, HeldPages pages) {
        line("pages", pages.droppedRevision(), version.toString());
        pages.plans().forEach((plan, held) -> {
            line("held", held.revision(), plan, held.pages());
            held.plan().splits.values().forEach(this::split);
        });
    }

    private void split(Split split) {
        split.scan(0, (index, shard) -> {
            line("shard", shard.revision, split.name, shard.record(new ShardName(index)));
            return true;
        });
    }

    private void line(Object... parts) {
        sha.update(Json.bytes(parts));
        sha.update((byte) '\n');
    }
}

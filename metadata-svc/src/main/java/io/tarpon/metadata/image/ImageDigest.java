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
                image.requestsFloor);
        image.datasets.values().forEach(digest::dataset);
        image.nodes.forEach((id, node) -> digest.line(
                "node",
                node.revision,
                id,
                String.valueOf(node.registration),
                String.valueOf(node.incarnation),
                String.valueOf(node.leftAt)));
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
                dataset.record());
        dataset.versions.values().forEach(this::version);
    }

    private void version(Version version) {
        line("version", version.begunRevision, version.lifeRevision, version.path());
        line("life", version.livedAt, version.progressAt, version.collected);
        version.earlier.forEach((split, record) -> line("earlier", split, record));
        version.splits.values().forEach(this::split);
    }

    private void split(Split split) {
        for (int i = 0; i < split.shards.size(); i++) {
            line("shard", split.shards.get(i).revision, split.name, split.record(new ShardName(i)));
        }
    }

    private void line(Object... parts) {
        sha.update(Json.bytes(parts));
        sha.update((byte) '\n');
    }
}

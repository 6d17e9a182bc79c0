package io.tarpon.ingest;

import io.tarpon.store.ConfiguredObject;
import io.tarpon.store.ObjectStamp;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.Digests;
import java.nio.charset.StandardCharsets;

/// The object that says that a dataset is complete: `<dataset>/<marker name>` in a source.
record Marker(ConfiguredObject object, DatasetName dataset) {
    private static final int HASH_CHARS = 32;

    /// The id of the request for a version that this marker makes, as its source shows it: one for each time that the
    /// marker was written, whoever says so and how often. Where the bucket has no versions, two writings of equal
    /// markers within a second are one.
    String requestId(ObjectStamp stamp) {
        var facts = String.join(
                "\0",
                object.source(),
                dataset.value(),
                stamp.etag(),
                stamp.versionId() == null ? "" : stamp.versionId(),
                stamp.modified().toString());
        var hash = Digests.sha256Hex(facts.getBytes(StandardCharsets.UTF_8)).substring(0, HASH_CHARS);
        return "marker-" + object.source() + "-" + dataset + "-" + hash;
    }

    /// The folder that the marker completes, in its source.
    String folder() {
        return dataset + "/";
    }
}

package io.tarpon.metadata.image;

import io.tarpon.wire.Digests;
import io.tarpon.wire.json.Json;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Sums up, window by window, what entries do to an image: whether each was applied, every change of the store that it
/// made, and at the window's end the records that changed in it and the counters. Sums do not depend on the order of
/// what is summed, nor on where batches end or a process began, only on the entries and on what was known before; so a
/// window that began before this image was opened has none.
///
/// Not a proof: an image may differ in what nobody touches. [Image#digest()] goes through all of it.
final class Windows {
    static final int ENTRIES = 1024;
    /// Counts up with every change of what is summed: builds that sum otherwise must not take each other for wrong.
    private static final int FORM = 1;

    private final int entries;
    private final MessageDigest digest = Digests.sha256();
    private final Set<Dataset> datasets = new LinkedHashSet<>();
    private final Set<Version> versions = new LinkedHashSet<>();
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private long begun;
    private long sum;
    private boolean isReplaying;

    /// @param entries in a window
    Windows(int entries) {
        this.entries = entries;
    }

    /// From here on what follows this revision is summed.
    void begin(long revision) {
        begun = revision;
        clear();
    }

    /// An entry is being replayed: only what it does counts.
    void entry() {
        isReplaying = true;
    }

    void stored(byte[] key, byte @Nullable [] value) {
        if (isReplaying) {
            add(key, value == null ? new byte[0] : value);
        }
    }

    void changed(Dataset dataset) {
        datasets.add(dataset);
    }

    void changed(Version version) {
        versions.add(version);
    }

    void changed(String id, Node node) {
        nodes.put(id, node);
    }

    void forgotten(Version version) {
        versions.remove(version);
    }

    void forgottenNode(String id) {
        nodes.remove(id);
    }

    /// The entry was replayed. What the window came to, where it was the last of one that was summed whole; else null.
    @Nullable
    WindowDigest replayed(Image image, boolean applied) {
        isReplaying = false;
        var revision = image.revision();
        if (!applied) {
            add(number(revision), new byte[0]);
        }
        if (revision % entries != 0) {
            return null;
        }
        var isWhole = revision - begun >= entries;
        if (isWhole) {
            addRecords(image);
        }
        var window = new WindowDigest(
                image.logId().orElse(""), FORM, revision, HexFormat.of().toHexDigits(sum));
        begun = revision;
        clear();
        return isWhole ? window : null;
    }

    private void addRecords(Image image) {
        datasets.forEach(
                dataset -> add(StoreKeys.dataset(dataset.name.value()), Json.bytes(StoredImage.stored(dataset))));
        versions.forEach(version -> add(
                StoreKeys.version(version.begunRevision),
                Json.bytes(StoredImage.stored(version, image.pages.get(version.name())))));
        nodes.forEach((id, node) -> add(StoreKeys.node(id), Json.bytes(StoredImage.stored(id, node))));
        add(StoreKeys.COUNTERS, Json.bytes(image.counters(null)));
    }

    private void clear() {
        sum = 0;
        datasets.clear();
        versions.clear();
        nodes.clear();
    }

    private void add(byte[] key, byte[] value) {
        digest.update(number(key.length));
        digest.update(key);
        digest.update(value);
        sum += ByteBuffer.wrap(digest.digest()).getLong();
    }

    private static byte[] number(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }
}

package io.tarpon.gateway;

import io.tarpon.store.NoSuchObjectException;
import io.tarpon.store.ObjectStore;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.gateway.DatasetsDocument;
import io.tarpon.wire.gateway.ShardsDocument;
import io.tarpon.wire.gateway.VersionDocument;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.VersionRecord;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Optional;
import java.util.OptionalLong;

/// The public documents, as metadata-svc and the object store have them now.
///
/// Threads: any that may block.
public final class Documents {
    private final MetadataClient metadata;
    private final ObjectStore store;

    Documents(MetadataClient metadata, ObjectStore store) {
        this.metadata = metadata;
        this.store = store;
    }

    /// A report and its length.
    ///
    /// @param etag quotes included
    public record Report(String key, long bytes, String etag) {}

    public DatasetsDocument datasets() {
        return asked(() -> {
            var parts = new DatasetsDocument.Parts();
            metadata.datasets(parts::add);
            return parts.document();
        });
    }

    /// @param version empty for `latest`
    public VersionDocument version(DatasetName dataset, Optional<VersionId> version) {
        return VersionDocument.of(record(dataset, version));
    }

    /// @param base of the shards' URLs, `http://host:port`
    public ShardsDocument shards(
            DatasetName dataset,
            Optional<VersionId> version,
            SplitName split,
            Optional<ShardName> after,
            int limit,
            String base) {
        var number = version.orElseGet(() -> record(dataset, version).version());
        var shards = new ArrayList<ShardsDocument.Shard>();
        var next = after;
        do {
            // A page of metadata-svc may have fewer than are asked of it.
            var from = next;
            var page = asked(() -> metadata.shards(dataset, number, split, from, limit - shards.size()));
            page.shards().stream()
                    .map(shard -> ShardsDocument.Shard.of(
                            shard, base + "/d/" + new ShardRef(dataset, number, split, shard.name()).path() + ".tar"))
                    .forEach(shards::add);
            next = Optional.ofNullable(page.next());
        } while (next.isPresent() && shards.size() < limit);
        return new ShardsDocument(shards, next.map(ShardName::toString).orElse(null));
    }

    /// Fails with `not-found` while no report is written.
    public Report report(DatasetName dataset, Optional<VersionId> version) {
        var record = record(dataset, version);
        var name = dataset + "/" + record.version();
        var key = ObjectKeys.report(dataset, record.version());
        OptionalLong bytes;
        try {
            bytes = store.size(key);
        } catch (IOException e) {
            throw unavailable(name, e);
        }
        if (bytes.isEmpty()) {
            throw new TarponException(
                    ProblemType.NOT_FOUND,
                    name + " has no report; it is written while the version is planned, and this one is "
                            + record.state().wireName());
        }
        return new Report(key, bytes.getAsLong(), "\"" + name + "-" + bytes.getAsLong() + "\"");
    }

    /// The report's bytes.
    public InputStream open(Report report) {
        try {
            return store.open(report.key, 0, report.bytes);
        } catch (NoSuchObjectException e) {
            throw new TarponException(ProblemType.NOT_FOUND, "the report was removed", e);
        } catch (IOException e) {
            throw unavailable(report.key, e);
        }
    }

    private VersionRecord record(DatasetName dataset, Optional<VersionId> version) {
        return asked(() -> version.isPresent() ? metadata.version(dataset, version.get()) : metadata.latest(dataset));
    }

    private interface Question<T> {
        T ask() throws IOException;
    }

    private static <T> T asked(Question<T> question) {
        try {
            return question.ask();
        } catch (IOException e) {
            throw new TarponException(ProblemType.NOT_READY, e.getMessage() + "", e);
        }
    }

    private static TarponException unavailable(String name, IOException e) {
        return new TarponException(
                ProblemType.STORAGE_UNAVAILABLE, "the report of " + name + " cannot be read: " + e.getMessage(), e);
    }
}

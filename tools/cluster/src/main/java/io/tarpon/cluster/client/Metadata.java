package io.tarpon.cluster.client;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.DatasetRecord;
import io.tarpon.wire.metadata.FailVersion;
import io.tarpon.wire.metadata.GarbageReport;
import io.tarpon.wire.metadata.SnapshotReport;
import io.tarpon.wire.metadata.VersionRecord;
import java.io.IOException;
import java.util.List;

/// metadata-svc, for commands that change the life of versions. A refusal becomes a [CommandFailure] with the service's
/// own words and the next step.
public final class Metadata implements AutoCloseable {
    private final MetadataClient client;

    /// Takes the client over.
    public Metadata(MetadataClient client) {
        this.client = client;
    }

    /// A request that may be refused, or not be answered.
    private interface Request<T> {
        T answer() throws IOException;
    }

    private static <T> T ask(Request<T> request) {
        try {
            return request.answer();
        } catch (TarponException e) {
            throw CommandFailure.failed(e.detail(), next(e));
        } catch (IOException e) {
            throw CommandFailure.failed(String.valueOf(e.getMessage()), "look at: ./tarpon status; then ask again");
        }
    }

    private static String next(TarponException refusal) {
        return switch (refusal.type()) {
            case UNKNOWN_DATASET, UNKNOWN_VERSION, VERSION_REMOVED, CONFLICT -> "see what there is: ./tarpon ls --all";
            case UNAUTHORIZED -> "the cluster runs with another token; try: ./tarpon down, ./tarpon up";
            case INTERNAL -> "look at: ./tarpon logs metadata-svc";
            default -> refusal.type().retryable() ? "try again; if it stays so, look at: ./tarpon status" : "";
        };
    }

    public List<DatasetRecord> datasets() {
        return ask(client::datasets);
    }

    public DatasetRecord dataset(DatasetName dataset) {
        return ask(() -> client.dataset(dataset));
    }

    public VersionRecord version(DatasetName dataset, VersionId version) {
        return ask(() -> client.version(dataset, version));
    }

    /// A failed version is planned anew; the request for it must be sent again.
    public VersionRecord retry(DatasetName dataset, VersionId version) {
        return ask(() -> client.retry(dataset, version));
    }

    public VersionRecord fail(DatasetName dataset, VersionId version, String reason) {
        return ask(() -> client.fail(dataset, version, new FailVersion(reason)));
    }

    public VersionRecord remove(DatasetName dataset, VersionId version) {
        return ask(() -> client.remove(dataset, version));
    }

    public DatasetRecord remove(DatasetName dataset) {
        return ask(() -> client.remove(dataset));
    }

    public GarbageReport collectGarbage(boolean dryRun) {
        return ask(() -> client.collectGarbage(dryRun));
    }

    /// Of all that metadata-svc knows now, in the object store.
    public SnapshotReport takeSnapshot() {
        return ask(client::takeSnapshot);
    }

    @Override
    public void close() {
        client.close();
    }
}

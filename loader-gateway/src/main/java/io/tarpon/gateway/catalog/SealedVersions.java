package io.tarpon.gateway.catalog;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.VersionRecord;
import java.util.concurrent.CompletableFuture;

/// Versions as loaders may see them: sealed, or refused with the reason.
public final class SealedVersions {
    private final Versions versions;

    public SealedVersions(Versions versions) {
        this.versions = versions;
    }

    public CompletableFuture<VersionRecord> of(DatasetName dataset, VersionId version) {
        return versions.version(dataset, version).thenApply(SealedVersions::require);
    }

    public CompletableFuture<VersionRecord> latest(DatasetName dataset) {
        return versions.latest(dataset);
    }

    private static VersionRecord require(VersionRecord version) {
        var name = version.dataset() + "/" + version.version();
        return switch (version.state()) {
            case SEALED -> version;
            case PLANNING, BUILDING ->
                throw new TarponException(
                        ProblemType.VERSION_NOT_SEALED,
                        name + " is " + version.state().wireName()
                                + " and can be read once it is sealed; see /v1/datasets/" + name);
            case FAILED ->
                throw new TarponException(
                        ProblemType.VERSION_NOT_SEALED,
                        name + " failed and cannot be read: " + version.reason() + "; run 'tarpon retry "
                                + version.dataset() + "@" + version.version() + "' or ingest again");
            case REMOVED ->
                throw new TarponException(ProblemType.VERSION_REMOVED, name + " was removed: " + version.reason());
        };
    }
}

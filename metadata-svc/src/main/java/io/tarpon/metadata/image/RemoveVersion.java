package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.Change;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.VersionState;
import java.util.List;

/// Takes a version that has ended from its readers, for good. One that is gone stays as it went.
public record RemoveVersion(DatasetName dataset, VersionId version) implements VersionCommand {
    static final String ON_REQUEST = "removed on request";

    @Override
    public String idempotenceKey() {
        return "remove/" + dataset + "/" + version;
    }

    @Override
    public Decision decide(Image image) {
        var held = image.version(dataset, version);
        if (held.state == VersionState.REMOVED) {
            return new Decision.AlreadyApplied();
        }
        requireEnded(held);
        return Decision.append(
                image, List.of(held.life()), List.of(new Change.VersionRemoved(dataset, version, ON_REQUEST, null)));
    }

    static void requireEnded(Version held) {
        if (!held.state.isEnd()) {
            throw new TarponException(
                    ProblemType.CONFLICT,
                    "version " + held.path() + " is " + held.state.wireName() + ": end it first, with tarpon cancel "
                            + held.dataset + "@" + held.id);
        }
    }
}

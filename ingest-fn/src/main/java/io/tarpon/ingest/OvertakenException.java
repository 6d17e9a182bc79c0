package io.tarpon.ingest;

import io.tarpon.wire.metadata.VersionRecord;
import java.io.IOException;

/// The version is not this process's to plan any more: it was planned by another one, ended, or ended and tried again
/// since this one began with it.
final class OvertakenException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient VersionRecord now;

    OvertakenException(VersionRecord now) {
        super("version " + now.dataset() + "/" + now.version() + " is "
                + now.state().wireName() + " at revision " + now.revision());
        this.now = now;
    }

    /// As it is by now.
    VersionRecord now() {
        return now;
    }
}

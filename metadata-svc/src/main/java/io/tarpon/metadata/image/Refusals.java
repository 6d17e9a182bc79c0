package io.tarpon.metadata.image;

import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.VersionState;

/// How a version says that it is past what is asked of it.
final class Refusals {
    private Refusals() {}

    static TarponException ended(Version version, String what) {
        var type = version.state == VersionState.REMOVED ? ProblemType.VERSION_REMOVED : ProblemType.CONFLICT;
        var why = version.reason == null ? "" : " (" + version.reason + ")";
        return new TarponException(
                type, "version " + version.path() + " is " + version.state.wireName() + why + ", it " + what);
    }
}

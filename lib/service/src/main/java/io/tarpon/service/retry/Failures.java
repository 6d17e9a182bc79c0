package io.tarpon.service.retry;

import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;

/// Which failures may pass without a change of what was asked for.
public final class Failures {
    private Failures() {}

    /// Every [IOException] may pass, and of a service's answers those that are not about the request. Callers that know
    /// more of their own failures judge these first.
    public static boolean mayPass(Exception failure) {
        return switch (failure) {
            case TarponException answer -> mayPass(answer.type());
            case IOException _ -> true;
            default -> false;
        };
    }

    /// 401 and 403 are about the token, which is changed while we run; a route that is not there is about an address,
    /// or a service of another version during a roll-out. To drop work for one of these would drop all behind it.
    private static boolean mayPass(ProblemType type) {
        return switch (type) {
            case UNAUTHORIZED,
                    FORBIDDEN,
                    NOT_FOUND,
                    METHOD_NOT_ALLOWED,
                    VERSION_NOT_SEALED,
                    INTERNAL,
                    OVERLOADED,
                    NOT_READY,
                    STORAGE_UNAVAILABLE,
                    INSUFFICIENT_STORAGE -> true;
            case BAD_PARAMETER,
                    UNKNOWN_DATASET,
                    UNKNOWN_VERSION,
                    UNKNOWN_SPLIT,
                    UNKNOWN_SHARD,
                    UNKNOWN_SAMPLE,
                    UNKNOWN_MEMBER,
                    CONFLICT,
                    VERSION_REMOVED,
                    PRECONDITION_FAILED,
                    PAYLOAD_TOO_LARGE,
                    URI_TOO_LONG,
                    RANGE_NOT_SATISFIABLE -> false;
        };
    }
}

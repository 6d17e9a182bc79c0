package io.tarpon.ingest;

import io.tarpon.ingest.disk.SpoolException;
import io.tarpon.service.retry.Failures;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;

/// Which failures are waited out, and which are an answer.
final class Trouble {
    private Trouble() {}

    /// Whether the same attempt may succeed later: not where a request was refused for what it says, or where only a
    /// person can help. A source's failures are judged where it is read.
    static boolean mayPass(Exception failure) {
        return switch (failure) {
            case SpoolException _ -> false;
            case SourceUnreadableException _ -> false;
            case OvertakenException _ -> false;
            case TarponException answer -> !isRefusal(answer);
            default -> Failures.mayPass(failure);
        };
    }

    /// Whether metadata-svc understood the request and will not do it. A wrong token is not the request's fault. That
    /// it has no room does not pass while everything behind the request waits for it: a person makes room, or asks
    /// for less.
    static boolean isRefusal(TarponException answer) {
        return answer.type() == ProblemType.INSUFFICIENT_STORAGE || !Failures.mayPass(answer);
    }
}

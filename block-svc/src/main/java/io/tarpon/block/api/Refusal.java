package io.tarpon.block.api;

import io.tarpon.service.Problems;
import io.tarpon.service.api.ProblemAnswer;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import org.jboss.logging.Logger;

/// A failure of the node as an answer: what its disks could not do, another node may.
final class Refusal {
    private static final Logger LOG = Logger.getLogger(Refusal.class);

    private Refusal() {}

    /// Answers what went wrong, in full. Only before anything else of an answer was sent.
    static void answer(RoutingContext context, Throwable failure) {
        if (Problems.cause(failure) instanceof IOException unreadable) {
            LOG.errorf(
                    unreadable, "block not readable path=%s", context.request().path());
            var _ = ProblemAnswer.send(
                    context.request(),
                    new TarponException(
                            ProblemType.STORAGE_UNAVAILABLE,
                            "this node cannot read the block now; ask another: " + unreadable.getMessage()));
        } else {
            var _ = ProblemAnswer.send(context.request(), failure);
        }
    }
}

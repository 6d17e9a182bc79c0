package io.tarpon.metadata.api;

import io.tarpon.metadata.Queries;
import io.tarpon.metadata.ReadBudget;
import io.tarpon.metadata.replica.Versioned;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.function.Supplier;
import org.jboss.resteasy.reactive.RestResponse;

/// Answers lists, which are much longer than their questions: one is read once there is room for it, and has that room
/// until the last of it went to the connection, or the connection is gone. Quarkus writes an answer on the thread of
/// its request, a buffer at a time, and waits for who reads slowly. One who does not read in time is cut off.
///
/// Threads: the room is taken on the request's own thread and given back on the event loop; a connection that ended
/// before anybody watched for it is looked for last.
@Singleton
final class Lists {
    private final Queries queries;
    private final ReadBudget budget;

    Lists(Queries queries, ReadBudget budget) {
        this.queries = queries;
        this.budget = budget;
    }

    /// @param revision that the reader asks for: waited for before the room is taken
    <T> RestResponse<T> answer(RoutingContext context, long revision, Supplier<Versioned<T>> read) {
        queries.await(revision);
        var lease = budget.lease();
        try {
            // Below the connection's own handler, whose close first sends what nobody reads.
            var below = ((ConnectionBase) context.request().connection()).channelHandlerContext();
            var patience = context.vertx().setTimer(budget.hold().toMillis(), _ -> {
                var _ = below.close();
                lease.close();
            });
            context.addEndHandler(_ -> {
                context.vertx().cancelTimer(patience);
                lease.close();
            });
            // A question that waited behind others on its connection is asked even where that is gone by then.
            if (context.response().closed() || !below.channel().isActive()) {
                context.vertx().cancelTimer(patience);
                throw new HttpClosedException("the connection is gone");
            }
            return Answers.of(read.get());
        } catch (RuntimeException | Error e) {
            lease.close();
            throw e;
        }
    }
}

package io.tarpon.metadata.api;

import io.netty.buffer.Unpooled;
import io.quarkus.vertx.http.runtime.VertxHttpRecorder;
import io.tarpon.metadata.Queries;
import io.tarpon.metadata.ReadBudget;
import io.tarpon.metadata.replica.Versioned;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/// Answers lists, which are much longer than their questions: one is read once there is room for it, and has that room
/// until the kernel took the last of it, or the connection is gone. Quarkus writes an answer on the thread of its
/// request, a buffer at a time, and waits for who reads slowly, but not for an event loop that has much to do: what it
/// wrote may stand before that, with all that the answer was made of. One who does not read in time is cut off. The
/// time to its thread counts as time in line.
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

    /// A list as of a revision.
    ///
    /// @param revision and `read`, as the reader asks: waited for before the room is taken
    /// @param reader given the revision that is wanted
    <T> RestResponse<T> answer(
            RoutingContext context,
            @Nullable String revision,
            @Nullable String read,
            LongFunction<Versioned<T>> reader) {
        var late = sinceAsked(context);
        var wanted = Parameters.wanted(queries, revision, read);
        queries.await(wanted);
        return answer(context, late, () -> reader.apply(wanted));
    }

    /// A list that is here already.
    <T> RestResponse<T> answer(RoutingContext context, Versioned<T> list) {
        return answer(context, Duration.ZERO, () -> list);
    }

    private <T> RestResponse<T> answer(RoutingContext context, Duration late, Supplier<Versioned<T>> reader) {
        var lease = budget.lease(late);
        try {
            // Below the connection's own handler, whose close first sends what nobody reads.
            var below = ((ConnectionBase) context.request().connection()).channelHandlerContext();
            var patience = context.vertx().setTimer(budget.hold().toMillis(), _ -> {
                var _ = below.close();
                lease.close();
            });
            // An answer ends when its last part is handed to the event loop: nothing, sent behind it, tells when all
            // left.
            context.addEndHandler(
                    _ -> below.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> {
                        context.vertx().cancelTimer(patience);
                        lease.close();
                    }));
            // A question that waited behind others on its connection is asked even where that is gone by then.
            if (context.response().closed() || !below.channel().isActive()) {
                context.vertx().cancelTimer(patience);
                throw new HttpClosedException("the connection is gone");
            }
            return Answers.of(reader.get());
        } catch (RuntimeException | Error e) {
            lease.close();
            throw e;
        }
    }

    /// Time on the request's way to its thread, which is long where more threads wait than there are processors for.
    private static Duration sinceAsked(RoutingContext context) {
        Long asked = context.get(VertxHttpRecorder.REQUEST_START_TIME);
        Objects.requireNonNull(asked, "quarkus.http.record-request-start-time");
        return Duration.ofNanos(System.nanoTime() - asked);
    }
}

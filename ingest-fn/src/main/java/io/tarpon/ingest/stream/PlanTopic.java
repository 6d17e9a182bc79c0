package io.tarpon.ingest.stream;

import io.tarpon.ingest.PlanMessages;
import io.tarpon.service.stream.Outbound;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.eclipse.microprofile.reactive.messaging.Channel;
import org.eclipse.microprofile.reactive.messaging.Emitter;
import org.eclipse.microprofile.reactive.messaging.OnOverflow;

/// `tarpon.plans`: one record a shard, on the partition of its key.
@ApplicationScoped
public class PlanTopic implements PlanMessages {
    /// Records on their way at a time, of one sender; the emitter's buffer holds those of more than there are.
    private static final int WINDOW = 64;

    private static final int SENDERS = 16;

    private final Emitter<byte[]> emitter;

    PlanTopic(
            @Channel("plans") @OnOverflow(value = OnOverflow.Strategy.BUFFER, bufferSize = SENDERS * WINDOW)
                    Emitter<byte[]> emitter) {
        this.emitter = emitter;
    }

    @Override
    public void send(List<PlanMessage> messages) throws IOException {
        var sent = new ArrayList<CompletableFuture<Void>>(WINDOW);
        for (var message : messages) {
            sent.add(Outbound.send(emitter, message.key(), message.value(), CloudEventHeaders.structured()));
            if (sent.size() == WINDOW) {
                Outbound.await("tarpon.plans", sent);
                sent.clear();
            }
        }
        Outbound.await("tarpon.plans", sent);
    }
}

package io.tarpon.ingest.stream;

import io.tarpon.ingest.UploadAcceptance.UploadMessages;
import io.tarpon.service.stream.Outbound;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.util.List;
import org.eclipse.microprofile.reactive.messaging.Channel;
import org.eclipse.microprofile.reactive.messaging.Emitter;
import org.eclipse.microprofile.reactive.messaging.OnOverflow;

/// `tarpon.uploads`, as written by this service for what came by HTTP.
@ApplicationScoped
public class UploadTopic implements UploadMessages {
    private static final int MAX_WAITING = 1_024;

    private final Emitter<byte[]> emitter;

    UploadTopic(
            @Channel("accepted") @OnOverflow(value = OnOverflow.Strategy.BUFFER, bufferSize = MAX_WAITING)
                    Emitter<byte[]> emitter) {
        this.emitter = emitter;
    }

    @Override
    public void send(String key, byte[] value) throws IOException {
        Outbound.await("tarpon.uploads", List.of(Outbound.send(emitter, key, value, CloudEventHeaders.structured())));
    }
}

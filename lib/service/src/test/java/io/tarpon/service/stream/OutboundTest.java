package io.tarpon.service.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.smallrye.mutiny.helpers.test.AssertSubscriber;
import io.smallrye.reactive.messaging.annotations.EmitterFactoryFor;
import io.smallrye.reactive.messaging.providers.DefaultEmitterConfiguration;
import io.smallrye.reactive.messaging.providers.extension.EmitterImpl;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.eclipse.microprofile.reactive.messaging.Emitter;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.OnOverflow;
import org.junit.jupiter.api.Test;

class OutboundTest {
    private static final int ROOM = 3;

    @Test
    void fullEmitterIsABrokerThatDidNotTakeTheRecordAndTakesTheNext() throws IOException {
        var emitter = new EmitterImpl<String>(
                new DefaultEmitterConfiguration("out", EmitterFactoryFor.Literal.EMITTER, overflow(), null), ROOM);
        // A broker that takes nothing yet.
        var broker = AssertSubscriber.<Message<? extends String>>create(0);
        emitter.getPublisher().subscribe(broker);

        for (var i = 0; i < ROOM; i++) {
            assertThat(send(emitter)).isNotDone();
        }
        assertThatIOException().isThrownBy(() -> Outbound.await("out", List.of(send(emitter))));

        broker.request(ROOM + 1);
        var next = send(emitter);
        assertThat(broker.getItems()).hasSize(ROOM + 1);
        broker.getItems().forEach(Message::ack);
        Outbound.await("out", List.of(next));
    }

    private static CompletableFuture<Void> send(Emitter<String> emitter) {
        return Outbound.send(emitter, null, "value", new RecordHeaders());
    }

    @SuppressWarnings("BadAnnotationImplementation") // Never compared.
    private static OnOverflow overflow() {
        return new OnOverflow() {
            @Override
            public Class<OnOverflow> annotationType() {
                return OnOverflow.class;
            }

            @Override
            public Strategy value() {
                return Strategy.BUFFER;
            }

            @Override
            public long bufferSize() {
                return ROOM;
            }
        };
    }
}

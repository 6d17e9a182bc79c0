package io.tarpon.wire.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TracesTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "00-" + TRACE + "-b7ad6b7169203331-01";

    private final List<SpanData> ended = new ArrayList<>();
    private final Traces traces = Traces.to(OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(new Kept(ended))
                    .build())
            .build());

    private record Kept(List<SpanData> ended) implements SpanProcessor {
        @Override
        public void onStart(Context parent, ReadWriteSpan span) {}

        @Override
        public boolean isStartRequired() {
            return false;
        }

        @Override
        public void onEnd(ReadableSpan span) {
            ended.add(span.toSpanData());
        }

        @Override
        public boolean isEndRequired() {
            return true;
        }
    }

    @Test
    void aStepBelongsToItsParentsTraceAndHandsOnItself() {
        try (var step = traces.begin("build shard", SpanKind.CONSUMER, PARENT)) {
            step.with("tarpon.shard", "demo/v1/train/shard-000000").with("tarpon.samples", 3);
            assertThat(step.traceparent().orElseThrow())
                    .matches("00-" + TRACE + "-[0-9a-f]{16}-01")
                    .isNotEqualTo(PARENT);
        }
        var span = ended.getFirst();
        assertThat(span.getName()).isEqualTo("build shard");
        assertThat(span.getParentSpanId()).isEqualTo("b7ad6b7169203331");
        assertThat(span.getAttributes().get(AttributeKey.stringKey("tarpon.shard")))
                .isEqualTo("demo/v1/train/shard-000000");
        assertThat(span.getAttributes().get(AttributeKey.longKey("tarpon.samples")))
                .isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00-a-b-01",
                "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
                "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\n"
            })
    void whatIsNoTraceparentIsNotBelieved(String parent) {
        var step = traces.begin("read", SpanKind.SERVER, parent);
        step.close();
        assertThat(ended.getFirst().getParentSpanContext().isValid()).isFalse();
        assertThat(ended.getFirst().getTraceId()).isNotEqualTo(TRACE);
        assertThat(Traces.off().begin("read", SpanKind.SERVER, parent)).isSameAs(Step.NONE);
    }

    @Test
    void whatATraceLeavesOutItsStepsLeaveOut() {
        var step = traces.begin("read", SpanKind.SERVER, "00-" + TRACE + "-b7ad6b7169203331-00");
        step.close();
        assertThat(step.traceparent().orElseThrow()).startsWith("00-" + TRACE).endsWith("-00");
        assertThat(ended).isEmpty();
    }

    @Test
    void whatWorkThrowsIsTheFailureOfItsStep() {
        assertThatThrownBy(() -> traces.begin("plan upload", SpanKind.CONSUMER, null)
                        .during(_ -> {
                            throw new IOException("the source is away");
                        }))
                .isInstanceOf(IOException.class);
        assertThat(ended.getFirst().getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(ended.getFirst().getStatus().getDescription()).isEqualTo("the source is away");
    }

    @Test
    void whereTracingIsOffAStepHandsOnWhatItWasGiven() {
        var off = Traces.off();
        assertThat(off.isOn()).isFalse();
        var step = off.begin("build shard", SpanKind.CONSUMER, PARENT);
        assertThat(step.with("tarpon.shard", "x").traceparent()).contains(PARENT);
        assertThat(off.begin("build shard", SpanKind.CONSUMER, null)).isSameAs(Step.NONE);
    }
}

package io.tarpon.system;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/// Takes what services export by OTLP over HTTP, and keeps it.
final class SpanReceiver implements AutoCloseable {
    private static final String SERVICE = "service.name";

    private final HttpServer server;
    private final List<Span> spans = new CopyOnWriteArrayList<>();

    /// One step of a service.
    ///
    /// @param parent id of the span that caused it; empty for the first one of its trace
    record Span(String service, String name, String trace, String id, String parent, Map<String, String> attributes) {}

    SpanReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", this::take);
        server.start();
    }

    /// The variables that make `tarpon up` send its traces here.
    Map<String, String> environment() {
        return Map.of(
                "OTEL_EXPORTER_OTLP_ENDPOINT",
                "http://127.0.0.1:" + server.getAddress().getPort(),
                "OTEL_EXPORTER_OTLP_PROTOCOL",
                "http/protobuf");
    }

    List<Span> spans() {
        return List.copyOf(spans);
    }

    List<Span> named(String name) {
        return spans.stream().filter(span -> span.name().equals(name)).toList();
    }

    List<Span> of(String trace) {
        return spans.stream().filter(span -> span.trace().equals(trace)).toList();
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            var request = ExportTraceServiceRequest.parseFrom(exchange.getRequestBody());
            for (var resource : request.getResourceSpansList()) {
                var service =
                        attributes(resource.getResource().getAttributesList()).getOrDefault(SERVICE, "");
                resource.getScopeSpansList().stream()
                        .flatMap(scope -> scope.getSpansList().stream())
                        .forEach(span -> spans.add(new Span(
                                service,
                                span.getName(),
                                hex(span.getTraceId()),
                                hex(span.getSpanId()),
                                hex(span.getParentSpanId()),
                                attributes(span.getAttributesList()))));
            }
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private static Map<String, String> attributes(List<KeyValue> attributes) {
        return attributes.stream()
                .collect(Collectors.toMap(
                        KeyValue::getKey,
                        attribute -> attribute.getValue().hasIntValue()
                                ? Long.toString(attribute.getValue().getIntValue())
                                : attribute.getValue().getStringValue()));
    }

    private static String hex(ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }

    @Override
    public void close() {
        server.stop(0);
    }
}

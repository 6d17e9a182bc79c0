package io.tarpon.cluster.plan;

import io.tarpon.cluster.CommandFailure;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Where the services send their traces, if anywhere: what the standard variables of OpenTelemetry say, as settings of
/// theirs.
///
/// @param settings none where traces go nowhere
public record TraceExport(Map<String, String> settings) {
    private static final String DISABLED = "OTEL_SDK_DISABLED";
    private static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
    private static final String PROTOCOL = "OTEL_EXPORTER_OTLP_PROTOCOL";
    private static final String RATIO = "OTEL_TRACES_SAMPLER_ARG";

    /// The port of OTLP over HTTP; every other one is taken for that of OTLP over gRPC, where nothing says more.
    private static final int HTTP_PORT = 4318;

    private static final String GRPC = "grpc";
    private static final String HTTP = "http/protobuf";
    private static final String A_URL = "a URL like http://127.0.0.1:4317";
    private static final Pattern FROM_0_TO_1 = Pattern.compile("0|1|0?\\.[0-9]{1,9}|1\\.0{1,9}");

    public TraceExport {
        settings = Map.copyOf(settings);
    }

    public static TraceExport off() {
        return new TraceExport(Map.of());
    }

    /// Off where the environment names no endpoint, or says so; refuses values that the services could not start with.
    public static TraceExport of(Map<String, String> environment) {
        var endpoint = environment.get(ENDPOINT);
        if (endpoint == null || endpoint.isBlank() || Boolean.parseBoolean(environment.get(DISABLED))) {
            return off();
        }
        var uri = endpoint(endpoint.strip());
        var settings = new LinkedHashMap<String, String>();
        settings.put("quarkus.otel.sdk.disabled", "false");
        settings.put("quarkus.otel.exporter.otlp.endpoint", uri.toString());
        settings.put("quarkus.otel.exporter.otlp.protocol", protocol(environment.get(PROTOCOL), uri));
        var ratio = environment.get(RATIO);
        if (ratio != null && !ratio.isBlank()) {
            settings.put("quarkus.otel.traces.sampler.arg", ratio(ratio.strip()));
        }
        return new TraceExport(settings);
    }

    private static URI endpoint(String value) {
        try {
            var uri = new URI(value);
            var isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            // A setting of the services takes $ for the begin of an expression.
            return required(isHttp && uri.getHost() != null && value.indexOf('$') < 0, uri, ENDPOINT, value, A_URL);
        } catch (URISyntaxException e) {
            throw refused(ENDPOINT, value, A_URL);
        }
    }

    private static String protocol(@Nullable String value, URI endpoint) {
        if (value == null || value.isBlank()) {
            return endpoint.getPort() == HTTP_PORT ? HTTP : GRPC;
        }
        return required(value.equals(GRPC) || value.equals(HTTP), value, PROTOCOL, value, GRPC + " or " + HTTP);
    }

    private static String ratio(String value) {
        return required(FROM_0_TO_1.matcher(value).matches(), value, RATIO, value, "a number from 0 to 1, like 0.1");
    }

    private static <T> T required(boolean isRight, T meant, String variable, String value, String right) {
        if (!isRight) {
            throw refused(variable, value, right);
        }
        return meant;
    }

    private static CommandFailure refused(String variable, String value, String right) {
        return CommandFailure.failed(
                variable + "=" + value + " is not " + right, "set it so, or unset " + ENDPOINT + " to trace nothing");
    }
}

package io.tarpon.servers.link;

import io.tarpon.servers.Arguments;
import io.tarpon.servers.UsageException;
import java.util.List;

/// How the link behaves. A command may change it while connections are open; each reads it anew for every chunk.
///
/// @param requestLatencyMs every byte from the client arrives this much later
/// @param answerLatencyMs every byte to the client arrives this much later
/// @param bytesPerSecond of one connection in one direction; 0 is no limit
/// @param resetAfterBytes a connection breaks once this many bytes went to the client; 0 is never
record LinkSettings(int requestLatencyMs, int answerLatencyMs, long bytesPerSecond, long resetAfterBytes) {
    static final String REQUEST_LATENCY = "request-latency-ms";
    static final String ANSWER_LATENCY = "answer-latency-ms";
    static final String BANDWIDTH = "bytes-per-second";
    static final String RESET_AFTER = "reset-after-bytes";
    static final List<String> NAMES = List.of(REQUEST_LATENCY, ANSWER_LATENCY, BANDWIDTH, RESET_AFTER);

    private static final int LONGEST_LATENCY_MS = 60_000;

    static LinkSettings from(Arguments arguments) throws UsageException {
        LinkSettings settings = new LinkSettings(0, 0, 0, 0);
        for (String name : NAMES) {
            settings = settings.with(name, arguments.text("--" + name, "0"));
        }
        return settings;
    }

    /// The same link but for one setting.
    LinkSettings with(String name, String value) throws UsageException {
        return switch (name) {
            case REQUEST_LATENCY ->
                new LinkSettings(latency(name, value), answerLatencyMs, bytesPerSecond, resetAfterBytes);
            case ANSWER_LATENCY ->
                new LinkSettings(requestLatencyMs, latency(name, value), bytesPerSecond, resetAfterBytes);
            case BANDWIDTH -> new LinkSettings(requestLatencyMs, answerLatencyMs, bytes(name, value), resetAfterBytes);
            case RESET_AFTER -> new LinkSettings(requestLatencyMs, answerLatencyMs, bytesPerSecond, bytes(name, value));
            default -> throw new UsageException("unknown setting \"" + name + "\"");
        };
    }

    private static int latency(String name, String value) throws UsageException {
        return (int) Arguments.bounded(name, value, 0, LONGEST_LATENCY_MS);
    }

    private static long bytes(String name, String value) throws UsageException {
        return Arguments.bounded(name, value, 0, Long.MAX_VALUE);
    }
}

package io.tarpon.bench.lab;

import io.tarpon.cluster.client.Http;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// A service's metrics at one moment, in the text form of `/q/metrics`.
public final class Metrics {
    private final List<String> lines;

    Metrics(List<String> lines) {
        this.lines = List.copyOf(lines);
    }

    public static Metrics of(Http http, String url) throws IOException {
        try (var text =
                new BufferedReader(new InputStreamReader(http.stream(url + "/q/metrics"), StandardCharsets.UTF_8))) {
            return new Metrics(text.lines().toList());
        }
    }

    /// The sum over all series of that name which have the label; 0 where there is none.
    public double sum(String name, String label, String value) {
        return lines.stream()
                .filter(line -> line.startsWith(name + "{") && line.contains(label + "=\"" + value + "\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}

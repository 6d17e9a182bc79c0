package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.wire.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// What dashboard and alert rules ask for is what the services serve: our own from their start on, the Kafka client's
/// within a minute or so of the first record.
class MetricNamesIT {
    private static final Pattern NAME = Pattern.compile("\\b(?:tarpon|kafka)_[a-z_]+\\b");
    private static final Pattern EXPRESSION = Pattern.compile("(?m)^\\s*expr: (.*)$");

    @TempDir
    Path scratch = Path.of("");

    @Test
    void oursAreServedFromTheStartOn() throws IOException {
        try (var tarpon = new Tarpon(scratch.resolve("home"))) {
            tarpon.run("up").succeeded();
            assertThat(served(tarpon))
                    .containsAll(
                            askedFor().stream().filter(name -> !isKafkas(name)).toList());
        }
    }

    /// On a cluster whose first record is often long ago.
    @Test
    @ExtendWith(SharedCluster.class)
    void kafkasAreServedAfterTheFirstRecord(Tarpon shared) throws IOException {
        var folder = Folders.plain(scratch.resolve("in"), 2, 10, 1000, 1);
        shared.run("ingest", folder.toString(), "--dataset", "seen").succeeded();
        var kafkas = askedFor().stream().filter(MetricNamesIT::isKafkas).toList();
        assertThat(kafkas).isNotEmpty();
        Tarpon.await(
                "the metrics " + kafkas,
                Duration.ofMinutes(3),
                () -> served(shared).containsAll(kafkas));
    }

    private static boolean isKafkas(String name) {
        return name.startsWith("kafka_");
    }

    private static Set<String> askedFor() throws IOException {
        var names = new TreeSet<String>();
        var dashboard = Json.MAPPER.readTree(page("dashboard.json"));
        for (var panel : dashboard.get("panels")) {
            for (var target : panel.get("targets")) {
                add(target.get("expr").asText(), names);
            }
        }
        EXPRESSION.matcher(page("alerts.yml")).results().forEach(rule -> add(rule.group(1), names));
        assertThat(names).hasSizeGreaterThan(10);
        return names;
    }

    private static void add(String expression, Set<String> names) {
        NAME.matcher(expression).results().forEach(name -> names.add(name.group()));
    }

    private static String page(String name) throws IOException {
        return Tarpon.read(Path.of("..", "observability", name));
    }

    private static Set<String> served(Tarpon tarpon) {
        var names = new TreeSet<String>();
        try (var http = HttpClient.newHttpClient()) {
            for (var process : tarpon.status().get("processes")) {
                var url = process.path("url").asText("");
                if (!url.startsWith("http")
                        || Set.of("kafka", "s3").contains(process.get("name").asText())) {
                    continue;
                }
                text(http, url + "/q/metrics")
                        .lines()
                        .filter(line -> !line.startsWith("#"))
                        .forEach(line -> names.add(line.split("[{ ]", 2)[0]));
            }
        }
        return names;
    }

    private static String text(HttpClient http, String url) {
        try {
            return http.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(url, e);
        }
    }
}

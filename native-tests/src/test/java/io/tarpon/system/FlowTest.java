package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The README's table of topics says what the services' configuration says: who writes each, who reads it, under which
/// group.
class FlowTest {
    private static final Path PRODUCT = Path.of(System.getProperty("tarpon.product", ".."));
    private static final Pattern ROW =
            Pattern.compile("\\| `(tarpon\\.[a-z.]+)` \\| ([a-z, -]+) \\| ([a-z, -]+?) \\|.*");
    private static final Pattern CHANNEL = Pattern.compile("mp\\.messaging\\.(incoming|outgoing)\\.([a-z-]+)\\.topic");
    private static final String[] SERVICES = {"ingest-fn", "shard-fn", "metadata-svc", "block-svc", "loader-gateway"};

    @Test
    void theReadmeNamesEveryTopicWithItsWritersAndReaders() throws IOException {
        var configured = new TreeSet<String>();
        for (var service : SERVICES) {
            var properties = properties(service);
            for (var key : properties.stringPropertyNames()) {
                var channel = CHANNEL.matcher(key);
                if (channel.matches()) {
                    var verb = channel.group(1).equals("incoming") ? "reads" : "writes";
                    configured.add(service + " " + verb + " " + properties.getProperty(key));
                }
                if (key.equals("tarpon.metadata.events.topic")) {
                    configured.add(service + " writes " + properties.getProperty(key));
                }
            }
        }
        assertThat(drawn()).isNotEmpty().isEqualTo(configured);
    }

    @Test
    void aConsumerGroupIsNamedAfterItsService() throws IOException {
        for (var service : SERVICES) {
            var properties = properties(service);
            for (var key : properties.stringPropertyNames()) {
                if (key.endsWith(".group.id")) {
                    assertThat(properties.getProperty(key)).as(key).isEqualTo(service);
                }
            }
        }
    }

    private static Properties properties(String service) throws IOException {
        var properties = new Properties();
        try (Reader in = Files.newBufferedReader(
                PRODUCT.resolve(service).resolve("src/main/resources/application.properties"))) {
            properties.load(in);
        }
        return properties;
    }

    private static Set<String> drawn() throws IOException {
        var drawn = new TreeSet<String>();
        for (var line : Files.readAllLines(PRODUCT.resolve("README.md"))) {
            var row = ROW.matcher(line);
            if (row.matches()) {
                for (var service : SERVICES) {
                    if (row.group(2).contains(service)) {
                        drawn.add(service + " writes " + row.group(1));
                    }
                    if (row.group(3).contains(service)) {
                        drawn.add(service + " reads " + row.group(1));
                    }
                }
            }
        }
        return drawn;
    }
}

package io.tarpon.k8s;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// What the sources of the services say of them.
final class Product {
    static final Path ROOT = Path.of(System.getProperty("tarpon.product", ".."));

    static final List<Program> PROGRAMS = List.of(
            Program.read("ingest-fn", "ingest/IngestConfig"),
            Program.read("shard-fn", "shard/ShardConfig"),
            Program.read("metadata-svc", "metadata/MetadataConfig"),
            Program.read("block-svc", "block/BlockConfig"),
            Program.read("loader-gateway", "gateway/GatewayConfig"));

    /// Who sends requests to whom.
    static final List<Call> CALLS = List.of(
            new Call("loader-gateway", "metadata-svc"),
            new Call("loader-gateway", "block-svc"),
            new Call("block-svc", "metadata-svc"),
            // Fills from peers.
            new Call("block-svc", "block-svc"),
            new Call("ingest-fn", "metadata-svc"),
            new Call("shard-fn", "metadata-svc"),
            // Drops the blocks of removed versions.
            new Call("metadata-svc", "block-svc"));

    static final Set<String> KAFKA_CLIENTS = Set.of("ingest-fn", "shard-fn", "metadata-svc");

    record Call(String from, String to) {}

    /// @param defaults of its `application.properties`
    /// @param keys that its configuration has
    /// @param readByName keys that its sources ask for one by one
    record Program(String name, Properties defaults, Keys keys, Set<String> readByName) {
        /// Whatever begins with `kafka.`.
        static final String ALL_OF_KAFKA = "kafka.*";

        private static final Pattern READ_BY_NAME = Pattern.compile(
                "@ConfigProperty\\(name = \"([^\"]+)\"|(@Identifier\\(\"default-kafka-broker\"\\)|Brokers\\.of\\()");

        private static Program read(String name, String config) {
            var module = ROOT.resolve(name).resolve("src/main");
            var defaults = new Properties();
            try (var in = Files.newBufferedReader(module.resolve("resources/application.properties"))) {
                defaults.load(in);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            var java = module.resolve("java");
            return new Program(
                    name, defaults, Keys.of(java.resolve("io/tarpon/" + config + ".java")), readByName(java));
        }

        String healthPath(String which) {
            var root = defaults.getProperty("quarkus.smallrye-health.root-path", "health");
            return "/q/" + root + "/" + which;
        }

        String metricsPath() {
            return "/q/" + defaults.getProperty("quarkus.micrometer.export.prometheus.path", "metrics");
        }

        private static Set<String> readByName(Path sources) {
            var found = new TreeSet<String>();
            try (var files = Files.walk(sources)) {
                for (var file :
                        files.filter(it -> it.toString().endsWith(".java")).toList()) {
                    READ_BY_NAME
                            .matcher(Files.readString(file))
                            .results()
                            .map(match -> match.group(1) == null ? ALL_OF_KAFKA : match.group(1))
                            .forEach(found::add);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return found;
        }

        /// Topics of its channels.
        ///
        /// @param direction `incoming` or `outgoing`
        Set<String> channelTopics(String direction) {
            var topics = new TreeSet<String>();
            for (var key : defaults.stringPropertyNames()) {
                if (key.startsWith("mp.messaging." + direction + ".") && key.endsWith(".topic")) {
                    topics.add(defaults.getProperty(key));
                }
            }
            return topics;
        }

        /// Where its consumers begin that have committed nothing.
        String offsetReset() {
            return defaults.stringPropertyNames().stream()
                    .filter(key -> key.endsWith(".auto.offset.reset"))
                    .map(defaults::getProperty)
                    .distinct()
                    .collect(Collectors.joining(" and "));
        }

        Set<String> groups() {
            var groups = new TreeSet<String>();
            for (var key : defaults.stringPropertyNames()) {
                if (key.startsWith("mp.messaging.incoming.") && key.endsWith(".group.id")) {
                    groups.add(defaults.getProperty(key));
                }
            }
            return groups;
        }
    }

    private Product() {}
}

package io.tarpon.shard.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.tarpon.shard.MetadataStandIn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What shard-fn runs among: a real broker in its own JVM, a metadata stand-in, a source folder and a store, all of
/// this test run alone.
public final class Surroundings implements QuarkusTestResourceLifecycleManager {
    static final String TOPIC = "tarpon.plans";
    static final int PARTITIONS = 4;
    private static final Path BROKER = Path.of("..", "tools", "local-servers", "kafka", "target");

    private @Nullable Path temp;
    private @Nullable Process broker;
    private @Nullable MetadataStandIn metadata;
    private String bootstrap = "";

    /// What a test needs of it.
    record Handle(MetadataStandIn metadata, Path in, Path store, String bootstrap) {}

    @Override
    public Map<String, String> start() {
        try {
            temp = Files.createTempDirectory("shard-fn-");
            metadata = new MetadataStandIn();
            var token = Files.writeString(temp.resolve("token"), MetadataStandIn.TOKEN);
            bootstrap = "127.0.0.1:" + startBroker(temp.resolve("broker"));
            var in = Files.createDirectory(temp.resolve("in"));
            var config = new HashMap<String, String>();
            config.put("kafka.bootstrap.servers", bootstrap);
            config.put("tarpon.token-file", token.toString());
            config.put("tarpon.metadata.url", metadata.url().toString());
            config.put("tarpon.store.directory.root", temp.resolve("store").toString());
            config.put("tarpon.sources.in.kind", "directory");
            config.put("tarpon.sources.in.root", in.toString());
            config.put("tarpon.shard.first-pause", "PT0.01S");
            return config;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void inject(TestInjector injector) {
        injector.injectIntoFields(handle(), new TestInjector.MatchesType(Handle.class));
    }

    /// Once started.
    Handle handle() {
        var folder = Objects.requireNonNull(temp);
        return new Handle(Objects.requireNonNull(metadata), folder.resolve("in"), folder.resolve("store"), bootstrap);
    }

    @Override
    public void stop() {
        try {
            if (broker != null) {
                broker.destroyForcibly().onExit().join();
            }
            if (metadata != null) {
                metadata.close();
            }
            if (temp != null) {
                remove(temp);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String startBroker(Path data) throws IOException {
        if (!Files.isDirectory(BROKER.resolve("lib"))) {
            throw new IOException(
                    "no broker to test with: build it with 'mvn -pl tools/local-servers/kafka -am package'");
        }
        var command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-cp"));
        command.add(BROKER.resolve("lib") + "/*:" + BROKER.resolve("local-servers-kafka.jar") + ":"
                + BROKER.resolve("classes"));
        command.addAll(List.of("io.tarpon.servers.kafka.KafkaBroker", "--data-dir", data.toString(), "--port", "0"));
        command.addAll(List.of("--topic", TOPIC + ":" + PARTITIONS, "--topic", TOPIC + ".dlq:1"));
        var errors = Redirect.to(data.resolveSibling("broker.log").toFile());
        broker = new ProcessBuilder(command).redirectError(errors).start();
        var ready = broker.inputReader(UTF_8).readLine();
        if (ready == null || !ready.startsWith("ready kafka port=")) {
            throw new IOException("the broker does not start: " + Files.readString(data.resolveSibling("broker.log")));
        }
        return ready.replaceFirst("^ready kafka port=(\\d+).*$", "$1");
    }

    private static void remove(Path folder) throws IOException {
        try (var paths = Files.walk(folder)) {
            for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}

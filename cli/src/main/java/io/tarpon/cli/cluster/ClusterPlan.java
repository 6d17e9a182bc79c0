package io.tarpon.cli.cluster;

import io.tarpon.cli.CommandFailure;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/// The processes of a local cluster and their settings: one broker, metadata-svc, three block services on hosts and
/// zones of
/// their own, the gateway on the first of these hosts, and the two functions. Heaps, direct memory, logs, broker
/// retention
/// and block capacity are bounded; everything listens on loopback.
public final class ClusterPlan {
    public static final String BROKER = "kafka";
    public static final String METADATA = "metadata-svc";
    public static final String GATEWAY = "loader-gateway";
    public static final String INGEST = "ingest-fn";
    public static final String SHARD = "shard-fn";
    public static final int BLOCK_SERVICES = 3;
    public static final int GATEWAY_PORT = 7070;
    private static final String LOOPBACK = "127.0.0.1";
    private static final String UNUSABLE = ":,$\\";
    private static final List<String> TOPICS = List.of(
            "tarpon.uploads:4", "tarpon.plans:12", "tarpon.events:4", "tarpon.uploads.dlq:1", "tarpon.plans.dlq:1");

    private final ClusterPaths paths;
    private final String java;
    private final IntUnaryOperator freePort;
    private final String broker;
    private final String metadata;

    /// @param freePort gives a free port, the wanted one if it is free; 0 wants any
    public ClusterPlan(ClusterPaths paths, String java, IntUnaryOperator freePort) {
        this.paths = paths;
        this.java = java;
        this.freePort = freePort;
        this.broker = LOOPBACK + ":" + freePort.applyAsInt(0);
        this.metadata = "http://" + LOOPBACK + ":" + freePort.applyAsInt(0);
    }

    /// The names of all processes, in the order they are started.
    public static List<String> names() {
        var names = new ArrayList<>(List.of(BROKER, METADATA));
        for (int number = 1; number <= BLOCK_SERVICES; number++) {
            names.add(blockService(number));
        }
        names.addAll(List.of(GATEWAY, INGEST, SHARD));
        return List.copyOf(names);
    }

    public static String blockService(int number) {
        return "block-svc-" + number;
    }

    public Roster roster() {
        var members = new ArrayList<Member>();
        members.add(broker());
        members.add(metadata());
        for (int number = 1; number <= BLOCK_SERVICES; number++) {
            members.add(block(number));
        }
        members.add(gateway());
        members.add(ingest());
        members.add(shard());
        return new Roster(members);
    }

    private Member broker() {
        var home = paths.product().resolve("local-servers/kafka/target");
        var command = jvm(256, 64);
        command.add("-cp");
        command.add(home.resolve("local-servers-kafka.jar")
                + File.pathSeparator
                + home.resolve("lib").resolve("*"));
        command.add("io.tarpon.servers.kafka.KafkaBroker");
        command.addAll(List.of("--data-dir", paths.data(BROKER).toString(), "--port", portOf(broker)));
        TOPICS.forEach(topic -> command.addAll(List.of("--topic", topic)));
        return Member.of(BROKER, broker, command, environment());
    }

    private Member metadata() {
        var settings = new LinkedHashMap<String, String>();
        settings.put("tarpon.metadata.dir", paths.data("metadata").toString());
        settings.put("kafka.bootstrap.servers", broker);
        return service(METADATA, METADATA, metadata, jvm(128, 64), settings);
    }

    private Member block(int number) {
        var name = blockService(number);
        var home = paths.data("blocks").resolve("node-" + number);
        var settings = new LinkedHashMap<String, String>();
        settings.put("tarpon.metadata.url", metadata);
        settings.put("tarpon.node.id", "node-" + number);
        settings.put("tarpon.node.host", "node-" + number);
        settings.put("tarpon.node.zone", "zone-" + number);
        settings.put("tarpon.block.dir", home.toString());
        settings.put("tarpon.block.data-dirs", home.resolve("data").toString());
        settings.put("tarpon.block.capacity", "8GiB");
        settings.putAll(storeSettings());
        return service(name, "block-svc", url(0), jvm(96, 128), settings);
    }

    private Member gateway() {
        var settings = new LinkedHashMap<String, String>();
        settings.put("tarpon.metadata.url", metadata);
        settings.put("tarpon.node.host", "node-1");
        settings.putAll(storeSettings());
        return service(GATEWAY, "loader-gateway", url(GATEWAY_PORT), jvm(160, 160), settings);
    }

    private Member ingest() {
        var settings = functionSettings();
        settings.put("tarpon.ingest.spool-dir", paths.data("spool").toString());
        return service(INGEST, INGEST, url(0), jvm(192, 64), settings);
    }

    private Member shard() {
        return service(SHARD, SHARD, url(0), jvm(224, 128), functionSettings());
    }

    private Map<String, String> functionSettings() {
        var settings = new LinkedHashMap<String, String>();
        settings.put("tarpon.metadata.url", metadata);
        settings.put("kafka.bootstrap.servers", broker);
        settings.put("tarpon.directory-roots-file", paths.directoryRoots().toString());
        settings.putAll(storeSettings());
        return settings;
    }

    private Map<String, String> storeSettings() {
        return Map.of(
                "tarpon.store.kind",
                "directory",
                "tarpon.store.directory.root",
                paths.store().toString());
    }

    private Member service(String name, String module, String url, List<String> command, Map<String, String> settings) {
        var all = new LinkedHashMap<>(settings);
        all.put("tarpon.bind", LOOPBACK);
        all.put("quarkus.http.host", LOOPBACK);
        all.put("tarpon.token-file", paths.token().toString());
        all.put("quarkus.http.port", portOf(url));
        all.put("quarkus.log.console.enabled", "false");
        all.put("quarkus.log.file.enabled", "true");
        all.put("quarkus.log.file.path", paths.log(name).toString());
        all.put("quarkus.log.file.format", "%d{yyyy-MM-dd HH:mm:ss,SSS} %-5p [%c{1}] %s%e%n");
        all.put("quarkus.log.file.rotation.max-file-size", "8M");
        all.put("quarkus.log.file.rotation.max-backup-index", "2");
        all.forEach((key, value) -> command.add("-D" + key + "=" + value));
        command.add("-jar");
        command.add(paths.serviceJar(module).toString());
        return Member.of(name, url, command, environment());
    }

    private List<String> jvm(int heapMiB, int directMiB) {
        return new ArrayList<>(List.of(
                java,
                "-Xmx" + heapMiB + "m",
                "-Xms16m",
                "-XX:MaxDirectMemorySize=" + directMiB + "m",
                "-XX:+UseSerialGC",
                "-XX:ReservedCodeCacheSize=64m",
                "-Xss512k",
                "-XX:+ExitOnOutOfMemoryError",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow"));
    }

    /// Without a UTF-8 locale a JVM cannot open `café.jpg`; two malloc arenas keep native memory near what is used.
    private static Map<String, String> environment() {
        return Map.of("LC_ALL", "C.UTF-8", "MALLOC_ARENA_MAX", "2");
    }

    private String url(int wantedPort) {
        return "http://" + LOOPBACK + ":" + freePort.applyAsInt(wantedPort);
    }

    private static String portOf(String url) {
        return url.substring(url.lastIndexOf(':') + 1);
    }

    /// The folders that must exist before anything starts.
    public static List<Path> folders(ClusterPaths paths) {
        return List.of(paths.state().resolve("logs"), paths.store(), paths.data("spool"));
    }

    /// Refuses paths that would mean something else in a class path, a list or an expression of a configuration.
    public static void requireUsable(ClusterPaths paths) {
        for (var path : List.of(paths.state(), paths.product())) {
            if (path.toString().codePoints().anyMatch(c -> UNUSABLE.indexOf(c) >= 0 || Character.isISOControl(c))) {
                throw CommandFailure.failed(
                        "the path " + path + " has one of the characters " + String.join(" ", UNUSABLE.split(""))
                                + ", which settings of the services cannot hold",
                        "move the checkout, or set TARPON_HOME to another folder");
            }
        }
    }
}

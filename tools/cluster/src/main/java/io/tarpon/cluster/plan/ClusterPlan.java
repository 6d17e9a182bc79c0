package io.tarpon.cluster.plan;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.plan.Programs.Memory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The processes of a local cluster and their settings: one broker, where wanted an S3 server, metadata-svc, one
/// process or several that share a log in Kafka, block services on hosts and zones of their own, gateways, and the two
/// functions, one process of each or as many as wanted. Heaps, direct memory, logs, broker retention and block
/// capacity are bounded; everything listens on an address of its [Network], which nobody beyond this machine reaches.
public final class ClusterPlan {
    public static final String BROKER = "kafka";
    public static final String S3 = "s3";
    public static final String METADATA = "metadata-svc";
    public static final String BLOCK = "block-svc";
    public static final String GATEWAY = "loader-gateway";
    public static final String INGEST = "ingest-fn";
    public static final String SHARD = "shard-fn";
    public static final int GATEWAY_PORT = 7070;
    public static final int S3_PORT = 9000;
    private static final String UNUSABLE = ":,$\\";
    private static final List<String> TOPICS = List.of(
            "tarpon.uploads:4", "tarpon.plans:12", "tarpon.events:4", "tarpon.uploads.dlq:1", "tarpon.plans.dlq:1");

    private static final String METADATA_DIR = "tarpon.metadata.dir";
    private static final Map<String, String> LOG_IN_KAFKA =
            Map.of("tarpon.metadata.log", "kafka", "tarpon.metadata.kafka.replicas", "1");

    private final ClusterPaths paths;
    private final Programs programs;
    private final Network network;
    private final String broker;
    private final List<String> metadata;
    private final List<Member> s3;
    private final Storage storage;
    private final TraceExport traces;
    private final ClusterShape shape;

    /// A cluster whose objects lie in a folder.
    ///
    /// @param freePort gives a free port, the wanted one if it is free; 0 wants any
    public ClusterPlan(Programs programs, IntUnaryOperator freePort) {
        this(programs, freePort, null, TraceExport.off());
    }

    /// @param keys the login of the S3 server that keeps the objects; null where a folder keeps them
    public ClusterPlan(Programs programs, IntUnaryOperator freePort, @Nullable S3Keys keys) {
        this(programs, freePort, keys, TraceExport.off());
    }

    /// @param traces where the services send their traces
    public ClusterPlan(Programs programs, IntUnaryOperator freePort, @Nullable S3Keys keys, TraceExport traces) {
        this(programs, freePort, keys, traces, ClusterShape.USUAL);
    }

    /// @param shape of which the store is where `keys` say
    public ClusterPlan(
            Programs programs,
            IntUnaryOperator freePort,
            @Nullable S3Keys keys,
            TraceExport traces,
            ClusterShape shape) {
        this(programs, new Loopback(freePort), keys, traces, shape);
    }

    /// @param network of all its processes
    public ClusterPlan(
            Programs programs, Network network, @Nullable S3Keys keys, TraceExport traces, ClusterShape shape) {
        this.shape = shape;
        this.programs = programs;
        this.paths = programs.paths();
        this.traces = traces;
        this.network = network;
        this.broker = network.host(BROKER) + ":" + network.port(0);
        this.metadata = IntStream.rangeClosed(1, shape.metadataReplicas())
                .mapToObj(number -> url(numbered(METADATA, number), 0))
                .toList();
        if (keys == null) {
            this.s3 = List.of();
            this.storage = Storage.inFolder(paths.store());
        } else {
            var endpoint = url(S3, S3_PORT);
            this.storage = Storage.inBuckets(endpoint, keys);
            this.s3 = List.of(s3(endpoint, storage.environment()));
        }
    }

    /// The names of all processes, in the order they are started.
    public static List<String> names(ClusterShape shape) {
        var names = new ArrayList<String>();
        names.add(BROKER);
        if (shape.store() == StoreKind.S3) {
            names.add(S3);
        }
        for (int number = 1; number <= shape.metadataReplicas(); number++) {
            names.add(numbered(METADATA, number));
        }
        for (int number = 1; number <= shape.layout().nodes(); number++) {
            names.add(blockService(number));
        }
        for (int number = 1; number <= shape.layout().gateways(); number++) {
            names.add(numbered(GATEWAY, number));
        }
        for (var function : List.of(INGEST, SHARD)) {
            for (int number = 1; number <= shape.functions(); number++) {
                names.add(numbered(function, number));
            }
        }
        return List.copyOf(names);
    }

    /// @param number from 1; the first one has the name of its program
    private static String numbered(String module, int number) {
        return number == 1 ? module : module + "-" + number;
    }

    public static String blockService(int number) {
        return BLOCK + "-" + number;
    }

    /// How far a process is from those that others stand on; a higher one is stopped before a lower one.
    public static int height(String name) {
        return switch (name.replaceFirst("-[0-9]+$", "")) {
            case BROKER, S3 -> 0;
            case METADATA -> 1;
            case GATEWAY -> 3;
            case INGEST, SHARD -> 4;
            default -> 2;
        };
    }

    public Roster roster() {
        var members = new ArrayList<Member>();
        members.add(broker());
        members.addAll(s3);
        for (int number = 1; number <= shape.metadataReplicas(); number++) {
            members.add(metadata(number));
        }
        for (int number = 1; number <= shape.layout().nodes(); number++) {
            members.add(block(number));
        }
        for (int number = 1; number <= shape.layout().gateways(); number++) {
            members.add(gateway(number));
        }
        for (int number = 1; number <= shape.functions(); number++) {
            members.add(ingest(number));
        }
        for (int number = 1; number <= shape.functions(); number++) {
            members.add(shard(number));
        }
        return new Roster(members);
    }

    private Member broker() {
        var command = programs.server(BROKER, "io.tarpon.servers.kafka.KafkaBroker", new Memory(256, 64));
        command.addAll(List.of("--data-dir", paths.data(BROKER).toString(), "--port", portOf(broker)));
        command.addAll(List.of("--bind", network.host(BROKER)));
        TOPICS.forEach(topic -> command.addAll(List.of("--topic", topic)));
        return Member.of(BROKER, broker, entering(BROKER, command), environment());
    }

    /// The login comes by the environment.
    private Member s3(String endpoint, Map<String, String> login) {
        var command = programs.server(S3, "io.tarpon.servers.s3.S3Server", new Memory(192, 128));
        command.addAll(List.of("--data-dir", paths.data(S3).toString(), "--port", portOf(endpoint)));
        command.addAll(List.of("--bind", network.host(S3)));
        command.addAll(List.of("--bucket", Storage.STORE_BUCKET, "--bucket", Storage.RAW_BUCKET));
        return Member.of(S3, endpoint, entering(S3, command), environment(login));
    }

    private Member metadata(int number) {
        var settings = new LinkedHashMap<String, String>();
        settings.put(METADATA_DIR, paths.metadata(number).toString());
        if (shape.log() == LogPlace.KAFKA) {
            LOG_IN_KAFKA.forEach(settings::put);
        }
        settings.put("kafka.bootstrap.servers", broker);
        settings.putAll(storage.store());
        return service(numbered(METADATA, number), METADATA, metadata.get(number - 1), new Memory(160, 64), settings);
    }

    /// The same replica of metadata-svc, with its port and its data, over a log in that place.
    public static Member over(LogPlace place, Member replica) {
        var command = new ArrayList<String>();
        for (var word : replica.command()) {
            if (LOG_IN_KAFKA.keySet().stream().noneMatch(key -> word.startsWith("-D" + key + "="))) {
                command.add(word);
            }
            if (place == LogPlace.KAFKA && word.startsWith("-D" + METADATA_DIR + "=")) {
                LOG_IN_KAFKA.forEach((key, value) -> command.add("-D" + key + "=" + value));
            }
        }
        return replica.running(command);
    }

    /// What starts the program of a replica for a job instead: with its settings, and no cache to write.
    public static List<String> job(Member replica, List<String> arguments) {
        var command = new ArrayList<>(over(LogPlace.KAFKA, replica).command());
        command.removeIf(word -> word.startsWith(Programs.REHEARSES));
        command.addAll(arguments);
        return List.copyOf(command);
    }

    /// All replicas, of which each is the first for some users: none is idle while all answer.
    ///
    /// @param user from 1
    private String metadataFor(int user) {
        var urls = new ArrayList<>(metadata);
        Collections.rotate(urls, 1 - user);
        return String.join(",", urls);
    }

    private Member block(int number) {
        var name = blockService(number);
        var home = paths.data("blocks").resolve("node-" + number);
        var settings = new LinkedHashMap<String, String>();
        settings.put("tarpon.metadata.url", metadataFor(number));
        settings.put("tarpon.node.id", "node-" + number);
        settings.put("tarpon.node.host", "node-" + number);
        settings.put("tarpon.node.zone", "zone-" + number);
        settings.put("tarpon.block.dir", home.toString());
        settings.put("tarpon.block.data-dirs", home.resolve("data").toString());
        settings.put("tarpon.block.capacity", "8GiB");
        settings.putAll(storage.store());
        return service(name, BLOCK, url(name, 0), new Memory(96, 128), settings);
    }

    private Member gateway(int number) {
        var name = numbered(GATEWAY, number);
        var settings = new LinkedHashMap<String, String>();
        settings.put("tarpon.metadata.url", metadataFor(number));
        settings.put(
                "tarpon.node.host", network.hostOfGateway(number, shape.layout().nodes()));
        settings.put(
                "tarpon.gateway.dir", paths.data(numbered("gateway", number)).toString());
        settings.putAll(storage.store());
        return service(name, GATEWAY, url(name, number == 1 ? GATEWAY_PORT : 0), new Memory(192, 288), settings);
    }

    private Member ingest(int number) {
        var settings = functionSettings(number);
        settings.put("tarpon.ingest.spool-dir", paths.data("spool").toString());
        var name = numbered(INGEST, number);
        return service(name, INGEST, url(name, 0), new Memory(192, 64), settings);
    }

    private Member shard(int number) {
        var name = numbered(SHARD, number);
        return service(name, SHARD, url(name, 0), new Memory(224, 128), functionSettings(number + 1));
    }

    private Map<String, String> functionSettings(int number) {
        var settings = new LinkedHashMap<String, String>();
        settings.put("tarpon.metadata.url", metadataFor(number));
        settings.put("kafka.bootstrap.servers", broker);
        settings.put("tarpon.directory-roots-file", paths.directoryRoots().toString());
        settings.putAll(storage.store());
        settings.putAll(storage.sources());
        return settings;
    }

    private Member service(String name, String module, String url, Memory memory, Map<String, String> settings) {
        var all = new LinkedHashMap<>(settings);
        all.putAll(traces.settings());
        all.put("tarpon.bind", network.host(name));
        all.put("quarkus.http.host", network.host(name));
        all.put("tarpon.token-file", paths.token().toString());
        all.put("quarkus.http.port", portOf(url));
        all.put("quarkus.log.console.enabled", "false");
        all.put("quarkus.log.file.enabled", "true");
        all.put("quarkus.log.file.path", paths.log(name).toString());
        all.put("quarkus.log.file.format", "%d{yyyy-MM-dd HH:mm:ss,SSS} %-5p [%c{1}] %s%e%n");
        all.put("quarkus.log.file.rotation.max-file-size", "8M");
        all.put("quarkus.log.file.rotation.max-backup-index", "2");
        var command = programs.service(module, name.equals(module) || name.equals(blockService(1)), memory, all);
        return Member.of(name, url, entering(name, command), environment(storage.environment()))
                .as(programs.form(module));
    }

    private List<String> entering(String name, List<String> command) {
        var all = new ArrayList<>(network.entrance(name));
        all.addAll(command);
        return all;
    }

    /// Without a UTF-8 locale a JVM cannot open `café.jpg`; two malloc arenas keep native memory near what is used.
    private static Map<String, String> environment() {
        return Map.of("LC_ALL", "C.UTF-8", "MALLOC_ARENA_MAX", "2");
    }

    private static Map<String, String> environment(Map<String, String> more) {
        var all = new LinkedHashMap<>(environment());
        all.putAll(more);
        return all;
    }

    private String url(String name, int wantedPort) {
        return "http://" + network.host(name) + ":" + network.port(wantedPort);
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

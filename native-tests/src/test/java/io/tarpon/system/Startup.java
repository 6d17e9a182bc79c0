package io.tarpon.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Measures how the services start and what they hold in memory, in one form, on a cluster of its own.
final class Startup implements AutoCloseable {
    /// One process of each service.
    static final List<String> SERVICES =
            List.of("ingest-fn", "shard-fn", "loader-gateway", "metadata-svc", "block-svc-1");

    /// The services that consume, each as a consumer group of its own name, and their topics.
    private static final Map<String, String> TOPICS = Map.of("ingest-fn", "tarpon.uploads", "shard-fn", "tarpon.plans");

    /// Something that each service has to do for its answer.
    private static final Map<String, String> FIRST_REQUESTS =
            Map.of("metadata-svc", "/v1/datasets", "loader-gateway", "/v1/datasets");

    private static final int ROUNDS = 5;

    /// How long a cluster that nobody uses is left alone before it is called idle.
    private static final Duration IDLE = Duration.ofSeconds(10);

    private final Path product = Path.of(System.getProperty("tarpon.product"));
    private final String form;
    private final Tarpon tarpon;

    Startup(Path home, String form) {
        this.form = form;
        this.tarpon = new Tarpon(home, Map.of("TARPON_FORM", form, "TARPON_JVM_OPTIONS", ""));
    }

    /// @param ready from the start of the process to the first 200 of its readiness check, the median
    /// @param assigned from the start to partitions of the consumer group; empty where there is none
    /// @param firstRequest the first after the readiness check
    /// @param idleBytes resident, a while after the start
    /// @param loadedBytes resident, after a dataset was made and read
    /// @param imageBytes of the executable, or of the jars
    record Figures(
            Duration ready,
            Optional<Duration> assigned,
            Duration firstRequest,
            long idleBytes,
            long loadedBytes,
            long imageBytes) {}

    /// @param up how long the services take from `tarpon up` to all ready, where the broker runs
    /// @param services by process name
    record Result(Duration up, long idleBytes, Map<String, Figures> services) {}

    Result measure(Path folder) throws IOException, InterruptedException {
        tarpon.run("up").succeeded();
        var idle = new LinkedHashMap<String, Long>();
        var ups = new ArrayList<Duration>();
        for (int round = 0; round < ROUNDS; round++) {
            stopServices();
            long begun = System.nanoTime();
            tarpon.run("up").succeeded();
            ups.add(Duration.ofNanos(System.nanoTime() - begun));
        }
        Thread.sleep(IDLE);
        for (var name : services()) {
            idle.put(name, ServiceProcess.residentBytes(tarpon.pid(name)));
        }
        tarpon.run("ingest", folder.toString(), "--dataset", "load", "--shard-size", "64MiB")
                .succeeded();
        tarpon.run("verify", "load").succeeded();
        var loaded = new LinkedHashMap<String, Long>();
        for (var name : services()) {
            loaded.put(name, ServiceProcess.residentBytes(tarpon.pid(name)));
        }
        tarpon.run("rm", "load").succeeded();

        var figures = new LinkedHashMap<String, Figures>();
        for (var name : SERVICES) {
            figures.put(name, one(name, idle.get(name), loaded.get(name), size(Tarpon.module(name))));
        }
        long total = idle.values().stream().mapToLong(Long::longValue).sum();
        return new Result(median(ups), total, figures);
    }

    private Figures one(String name, long idleBytes, long loadedBytes, long imageBytes)
            throws IOException, InterruptedException {
        var ready = new ArrayList<Duration>();
        var assigned = new ArrayList<Duration>();
        var first = new ArrayList<Duration>();
        ServiceProcess.stop(tarpon, name);
        var recipe = ServiceProcess.Recipe.of(tarpon, name);
        try (var broker = new Broker(tarpon)) {
            for (int round = 0; round < ROUNDS; round++) {
                var before = TOPICS.containsKey(name) ? broker.members(name) : Set.<String>of();
                try (var process = recipe.start()) {
                    ready.add(process.ready());
                    first.add(process.request(FIRST_REQUESTS.getOrDefault(name, "/q/metrics")));
                    if (TOPICS.containsKey(name)) {
                        broker.awaitAssigned(name, TOPICS.get(name), before);
                        assigned.add(process.sinceStart());
                    }
                    process.stop();
                }
            }
        }
        tarpon.run("up").succeeded();
        var toGroup = assigned.isEmpty() ? Optional.<Duration>empty() : Optional.of(median(assigned));
        return new Figures(median(ready), toGroup, median(first), idleBytes, loadedBytes, imageBytes);
    }

    private List<String> services() {
        var names = new ArrayList<String>();
        tarpon.status()
                .get("processes")
                .forEach(process -> names.add(process.get("name").asText()));
        names.remove("kafka");
        return names;
    }

    private void stopServices() {
        var names = services();
        Collections.reverse(names);
        names.forEach(name -> ServiceProcess.stop(tarpon, name));
    }

    private long size(String module) throws IOException {
        var target = product.resolve(module).resolve("target");
        if (!form.equals("jvm") && Files.exists(target.resolve(module + "-runner"))) {
            return Files.size(target.resolve(module + "-runner"));
        }
        try (var files = Files.walk(target.resolve("quarkus-app"))) {
            long bytes = 0;
            for (var file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                bytes += Files.size(file);
            }
            return bytes;
        }
    }

    private static Duration median(List<Duration> durations) {
        return durations.stream().sorted().toList().get(durations.size() / 2);
    }

    @Override
    public void close() {
        tarpon.close();
    }
}

package io.tarpon.k8s;

import io.tarpon.cluster.disk.ProcessFacts;
import io.tarpon.cluster.plan.ClusterPaths;
import io.tarpon.cluster.plan.Member;
import io.tarpon.cluster.process.Processes;
import io.tarpon.testkit.KafkaProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// The processes of one function, as a Deployment has pods: so many as are wanted, each with the settings of the
/// cluster but for a port and a log of its own. Who is too many is asked to end, the youngest first, as a ReplicaSet
/// does it among pods that are ready; it counts no more from then on, and has the time that the manifest gives a pod.
///
/// Owned by one thread.
final class Replicas implements AutoCloseable {
    private final Member first;
    private final ClusterPaths paths;
    private final Duration grace;
    private final Processes processes = new Processes(ProcessFacts.detacher());
    private final List<Member> running = new ArrayList<>();
    private final List<Path> logs = new ArrayList<>();
    private final List<CompletableFuture<Boolean>> stops = new ArrayList<>();

    /// @param first as the cluster would start it
    Replicas(Member first, ClusterPaths paths, Duration grace) {
        this.first = first;
        this.paths = paths;
        this.grace = grace;
    }

    int count() {
        return running.size();
    }

    void scaleTo(int replicas) {
        while (running.size() < replicas) {
            start();
        }
        while (running.size() > replicas) {
            stop(running.removeLast());
        }
    }

    private void start() {
        var name = first.name() + "-" + (logs.size() + 1);
        var log = paths.log(name);
        int port;
        try {
            port = KafkaProcess.freePort();
        } catch (IOException e) {
            throw new AssertionError("no port is free", e);
        }
        var command = first.command().stream()
                .map(word -> word.startsWith("-Dquarkus.http.port=") ? "-Dquarkus.http.port=" + port : word)
                .map(word -> word.startsWith("-Dquarkus.log.file.path=") ? "-Dquarkus.log.file.path=" + log : word)
                .toList();
        var replica = Member.of(name, "http://" + first.host() + ":" + port, command, first.environment());
        running.add(processes.start(replica, paths.output(name).toFile()));
        logs.add(log);
    }

    private void stop(Member replica) {
        var stop = new CompletableFuture<Boolean>();
        stops.add(stop);
        Thread.ofVirtual().name("stop " + replica.name()).start(() -> {
            try {
                stop.complete(processes.stop(replica, grace));
            } catch (RuntimeException e) {
                stop.completeExceptionally(e);
            }
        });
    }

    /// Of all that there ever were.
    List<Path> logs() {
        return List.copyOf(logs);
    }

    /// Waits for all that were asked to end. Whether each did within its time.
    boolean allEndedInTime() {
        return stops.stream().allMatch(CompletableFuture::join);
    }

    @Override
    public void close() {
        running.forEach(processes::kill);
        running.clear();
        stops.forEach(CompletableFuture::join);
    }
}

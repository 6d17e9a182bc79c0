package io.tarpon.cluster;

import io.tarpon.cluster.client.Http;
import io.tarpon.cluster.disk.LogTail;
import io.tarpon.cluster.plan.ClusterPaths;
import io.tarpon.cluster.plan.Member;
import io.tarpon.cluster.process.Ports;
import io.tarpon.cluster.process.Processes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Whether processes of the cluster answer, and why one does not.
final class Readiness {
    private static final Duration PROBE_PATIENCE = Duration.ofSeconds(2);
    private static final Duration PROBE_PAUSE = Duration.ofMillis(25);

    private final ClusterPaths paths;
    private final Processes processes;
    private final Http http;

    Readiness(ClusterPaths paths, Processes processes, Http http) {
        this.paths = paths;
        this.processes = processes;
        this.http = http;
    }

    boolean isReady(Member member) {
        return answers(member, "/q/health/ready");
    }

    private boolean answers(Member member, String health) {
        return processes.isAlive(member)
                && (member.isService() ? http.answers(member.url() + health, PROBE_PATIENCE) : accepts(member));
    }

    private static boolean accepts(Member member) {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(member.host(), member.port()), (int) PROBE_PATIENCE.toMillis());
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /// Waits until the process is ready; fails where it ends instead, or has not become ready by `deadline`.
    void await(Member member, Instant deadline) {
        await(member, deadline, "/q/health/ready", "did not become ready in time");
    }

    /// Waits until the process answers, ready or not: a function is not while something that it needs is away.
    void awaitLive(Member member, Instant deadline) {
        await(member, deadline, "/q/health/live", "does not answer");
    }

    private void await(Member member, Instant deadline, String health, String complaint) {
        while (!answers(member, health)) {
            if (!processes.isAlive(member)) {
                throw ended(member);
            }
            if (Instant.now().isAfter(deadline)) {
                throw CommandFailure.failed(
                        member.name() + " runs but " + complaint, "look at: ./tarpon logs " + member.name());
            }
            Pause.of(PROBE_PAUSE);
        }
    }

    private CommandFailure ended(Member member) {
        if (!Ports.isFree(member.port())) {
            return new PortTaken(member);
        }
        return CommandFailure.failed(
                member.name() + " ended while starting"
                        + lastWords(member).map(line -> ": " + line).orElse(""),
                "look at: ./tarpon logs " + member.name());
    }

    private Optional<String> lastWords(Member member) {
        return new LogTail(paths.output(member.name()))
                .lastWords()
                .or(() -> new LogTail(paths.log(member.name())).lastWords());
    }

    /// Another program listens where this process should.
    static final class PortTaken extends CommandFailure {
        private static final long serialVersionUID = 1L;

        PortTaken(Member member) {
            super(
                    FAILED,
                    member.name() + " ended while starting: another program has taken its port " + member.port(),
                    "choose other ports with: ./tarpon down, then ./tarpon up");
        }
    }
}

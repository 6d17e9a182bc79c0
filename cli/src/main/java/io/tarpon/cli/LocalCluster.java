package io.tarpon.cli;

import io.tarpon.cli.client.Http;
import io.tarpon.cli.cluster.ClusterPlan;
import io.tarpon.cli.cluster.ClusterStatus;
import io.tarpon.cli.cluster.Member;
import io.tarpon.cli.cluster.Roster;
import io.tarpon.cli.console.Console;
import io.tarpon.cli.disk.ProcessMemory;
import io.tarpon.cli.disk.StateFolder;
import io.tarpon.cli.process.Ports;
import io.tarpon.cli.process.Processes;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.NodeList;
import io.tarpon.wire.metadata.NodeState;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The local cluster: starts, stops and watches its processes. What was started is written to the roster before
/// anything else
/// can go wrong, process by process, so that a killed command leaves nothing that `down` does not find. A lock on the
/// state
/// folder keeps two commands from doing this at once.
public final class LocalCluster {
    private static final Duration START_PATIENCE = Duration.ofSeconds(90);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(15);
    private static final Duration PROBE_PATIENCE = Duration.ofSeconds(2);
    private static final Duration PROBE_PAUSE = Duration.ofMillis(100);
    private static final Duration RETRY_START = Duration.ofMillis(500);

    private final StateFolder state;
    private final Processes processes;
    private final Http http;
    private final Console console;

    public LocalCluster(StateFolder state, Processes processes, Http http, Console console) {
        this.state = state;
        this.processes = processes;
        this.http = http;
        this.console = console;
    }

    /// The roster of a cluster of which at least one process runs; exit code 3 otherwise.
    public Roster running() {
        return state.roster()
                .filter(roster -> roster.members().stream().anyMatch(processes::isAlive))
                .orElseThrow(CommandFailure::notRunning);
    }

    /// Afterwards every process runs and is ready, whether this call started it or an earlier one.
    public Roster up() {
        try (var lock = state.lock()) {
            state.createFolders(new ClusterPlan(state.paths(), "java", port -> port).folders());
            state.token();
            var known =
                    state.roster().filter(roster -> roster.members().stream().anyMatch(processes::isAlive));
            var roster = known.orElseGet(this::newRoster);
            roster = startMissing(roster);
            awaitReady(roster);
            return roster;
        } catch (CommandFailure e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("cannot release the lock of the state folder", e);
        }
    }

    private Roster newRoster() {
        var ports = new Ports();
        var java = ProcessHandle.current().info().command().orElse("java");
        var roster = new ClusterPlan(state.paths(), java, ports::free).roster();
        if (!roster.gateway().endsWith(":" + ClusterPlan.GATEWAY_PORT)) {
            console.note("port " + ClusterPlan.GATEWAY_PORT + " is taken, the gateway is at " + roster.gateway());
        }
        return roster;
    }

    private Roster startMissing(Roster roster) {
        var current = roster;
        for (var member : roster.members()) {
            if (!processes.isAlive(member)) {
                current = current.with(processes.start(
                        member, state.paths().output(member.name()).toFile()));
                state.write(current);
            }
        }
        return current;
    }

    private void awaitReady(Roster roster) {
        var deadline = Instant.now().plus(START_PATIENCE);
        int ready = 0;
        try (var progress = console.progress("starting", roster.members().size())) {
            for (var member : roster.members()) {
                awaitReady(member, deadline);
                progress.at(++ready, member.name());
            }
        }
    }

    private void awaitReady(Member member, Instant deadline) {
        while (!isReady(member)) {
            if (!processes.isAlive(member)) {
                throw CommandFailure.failed(
                        member.name() + " ended while starting"
                                + lastWords(member).map(line -> ": " + line).orElse(""),
                        "look at: ./tarpon logs " + member.name());
            }
            if (Instant.now().isAfter(deadline)) {
                throw CommandFailure.failed(
                        member.name() + " was not ready within " + START_PATIENCE.toSeconds() + " s",
                        "look at: ./tarpon logs " + member.name());
            }
            pause(PROBE_PAUSE);
        }
    }

    private Optional<String> lastWords(Member member) {
        return state.lastLine(state.paths().output(member.name()))
                .or(() -> state.lastLine(state.paths().log(member.name())));
    }

    private boolean isReady(Member member) {
        return processes.isAlive(member)
                && (member.isBroker()
                        ? accepts(member.url())
                        : http.answers(member.url() + "/q/health/ready", PROBE_PATIENCE));
    }

    private static boolean accepts(String hostAndPort) {
        var colon = hostAndPort.lastIndexOf(':');
        try (var socket = new Socket()) {
            var port = Integer.parseInt(hostAndPort.substring(colon + 1));
            socket.connect(
                    new InetSocketAddress(hostAndPort.substring(0, colon), port), (int) PROBE_PATIENCE.toMillis());
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /// Afterwards no process of the cluster runs. Functions go first, the broker last.
    public int down() {
        try (var lock = state.lock()) {
            var roster = state.roster();
            if (roster.isEmpty()) {
                return 0;
            }
            var members = roster.get().members().reversed();
            int stopped = 0;
            try (var progress = console.progress("stopping", members.size())) {
                for (var member : members) {
                    stopped += processes.isAlive(member) ? 1 : 0;
                    processes.stop(member, STOP_PATIENCE);
                    progress.at(members.indexOf(member) + 1, member.name());
                }
            }
            state.forgetRoster();
            return stopped;
        } catch (CommandFailure e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("cannot release the lock of the state folder", e);
        }
    }

    /// Stops one process and starts it again, on its port and with its data.
    public Member restart(String name) {
        var member = running().member(name);
        try (var lock = state.lock()) {
            processes.stop(member, STOP_PATIENCE);
            var started = processes.start(member, state.paths().output(name).toFile());
            state.write(running().with(started));
            awaitReady(started, Instant.now().plus(START_PATIENCE));
            return started;
        } catch (CommandFailure e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("cannot release the lock of the state folder", e);
        }
    }

    public ClusterStatus status() {
        var roster = state.roster();
        if (roster.isEmpty()) {
            return ClusterStatus.down();
        }
        var members = roster.get().members().stream().map(this::status).toList();
        if (members.stream().allMatch(member -> member.state().equals("exited"))) {
            return new ClusterStatus("down", null, members, List.of());
        }
        var up = members.stream().allMatch(member -> member.state().equals("up"));
        return new ClusterStatus(up ? "up" : "degraded", roster.get().gateway(), members, nodes(roster.get()));
    }

    private ClusterStatus.MemberState status(Member member) {
        var alive = processes.isAlive(member);
        var memberState = !alive ? "exited" : isReady(member) ? "up" : "starting";
        var rss = alive ? ProcessMemory.residentBytes(member.pid()) : 0;
        return new ClusterStatus.MemberState(
                member.name(), member.pid(), member.url(), memberState, member.form(), rss);
    }

    private static List<ClusterStatus.Node> nodes(Roster roster) {
        return nodeList(roster).nodes().stream()
                .map(node -> new ClusterStatus.Node(
                        node.id(),
                        node.registration().host(),
                        node.registration().zone(),
                        node.state().wireName(),
                        node.blocks(),
                        node.bytes()))
                .toList();
    }

    /// Waits until every block service is a live node, so that blocks lie where they will stay.
    public void awaitNodes(Roster roster) {
        var deadline = Instant.now().plus(START_PATIENCE);
        while (nodeList(roster).nodes().stream()
                        .filter(node -> node.state() == NodeState.UP)
                        .count()
                < ClusterPlan.BLOCK_SERVICES) {
            if (Instant.now().isAfter(deadline)) {
                throw CommandFailure.failed("not every block service joined", "look at: ./tarpon status");
            }
            pause(RETRY_START);
        }
    }

    private static NodeList nodeList(Roster roster) {
        try (var metadata = MetadataClient.readOnly(URI.create(roster.metadata()))) {
            return metadata.nodes();
        } catch (IOException | TarponException e) {
            return new NodeList(0, List.of());
        }
    }

    static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandFailure.failed("interrupted", "");
        }
    }
}

package io.tarpon.cluster;

import io.tarpon.cluster.client.Http;
import io.tarpon.cluster.console.Console;
import io.tarpon.cluster.disk.Executables;
import io.tarpon.cluster.disk.ProcessFacts;
import io.tarpon.cluster.disk.StateFolder;
import io.tarpon.cluster.plan.ClusterPlan;
import io.tarpon.cluster.plan.ClusterShape;
import io.tarpon.cluster.plan.ClusterStatus;
import io.tarpon.cluster.plan.Layout;
import io.tarpon.cluster.plan.LinkChange;
import io.tarpon.cluster.plan.Loopback;
import io.tarpon.cluster.plan.Member;
import io.tarpon.cluster.plan.Namespaces;
import io.tarpon.cluster.plan.Network;
import io.tarpon.cluster.plan.Programs;
import io.tarpon.cluster.plan.Roster;
import io.tarpon.cluster.plan.StoreKind;
import io.tarpon.cluster.plan.TraceExport;
import io.tarpon.cluster.process.Links;
import io.tarpon.cluster.process.Ports;
import io.tarpon.cluster.process.Processes;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.NodeList;
import io.tarpon.wire.metadata.NodeState;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The local cluster: starts, stops and watches its processes. Each process is written to the roster as soon as it is
/// started, so that a command that is killed, or fails, leaves nothing that `down` does not find; what is left is the
/// moment between the start of one process and that write. A lock on the state folder keeps two commands from doing
/// this at once, and the roster is read only under it where it is changed.
public final class LocalCluster {
    private static final Duration START_PATIENCE = Duration.ofSeconds(90);

    /// Longer than the gateway lets open reads run on and functions their work; who has not ended then is killed.
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);

    /// A cache is written in seconds of two processors; several are, at once.
    private static final Duration REHEARSAL_PATIENCE = Duration.ofMinutes(3);

    private static final Duration NODE_PAUSE = Duration.ofMillis(50);

    private final StateFolder state;
    private final Processes processes;
    private final Readiness readiness;
    private final Links links;
    private final Console console;

    public LocalCluster(StateFolder state, Processes processes, Http http, Console console) {
        this.state = state;
        this.links = new Links(Namespaces.id(state.paths()));
        this.processes = processes;
        this.readiness = new Readiness(state.paths(), processes, http);
        this.console = console;
    }

    /// The roster of a cluster of which at least one process runs; exit code 3 otherwise.
    public Roster running() {
        return state.roster().filter(this::anyAlive).orElseThrow(CommandFailure::notRunning);
    }

    public boolean isRunning() {
        return state.roster().filter(this::anyAlive).isPresent();
    }

    boolean anyAlive(Roster roster) {
        return roster.members().stream().anyMatch(processes::isAlive);
    }

    /// Afterwards every process runs; those that this call started are ready, the others answer. The cluster is as an
    /// earlier start chose, else the usual one.
    public Roster up() {
        return up(state.shape());
    }

    /// As [#up()], for a cluster of this shape; fails where an earlier start chose another place for what is kept, or
    /// where one with another number of replicas runs. Functions that run stay as they are.
    public Roster up(ClusterShape shape) {
        ClusterPlan.requireUsable(state.paths());
        try (var lock = state.lock()) {
            var known = state.roster().filter(this::anyAlive);
            known.ifPresent(roster -> {
                requireReplicas(roster, shape);
                requireLayout(state.shape().layout(), shape.layout());
            });
            if (known.isEmpty() && shape.layout().netns()) {
                console.note(said(links.require()));
            }
            state.choose(shape);
            state.createFolders(ClusterPlan.folders(state.paths()));
            state.makeToken();
            return known.isPresent() ? start(known.get()) : startNew(shape);
        }
    }

    private static void requireReplicas(Roster roster, ClusterShape wanted) {
        var here = roster.members().stream().filter(Member::isMetadata).count();
        if (here != wanted.metadataReplicas()) {
            throw CommandFailure.failed(
                    "this cluster runs with --metadata-replicas " + here + ", not " + wanted.metadataReplicas(),
                    "stop it first: ./tarpon down");
        }
    }

    private static String said(Links.Slowness possible) {
        var lacking = Stream.of(possible.rate() ? "" : "--rate", possible.delay() ? "" : "--delay")
                .filter(option -> !option.isEmpty())
                .toList();
        return "links neither bound nor delay what passes; './tarpon link slow' can change that"
                + (lacking.isEmpty()
                        ? ""
                        : ", not by " + String.join(" or ", lacking)
                                + ", for this kernel has no queue discipline for it");
    }

    private static void requireLayout(Layout here, Layout wanted) {
        if (!here.equals(wanted)) {
            throw CommandFailure.failed(
                    "this cluster runs with " + here + ", not " + wanted, "stop it first: ./tarpon down");
        }
    }

    /// The services of a running cluster that were planned in another form than the environment asks for now. They keep
    /// theirs, even when they are started again.
    public List<Member> plannedOtherwise() {
        var wanted = Programs.of(state.paths(), System.getenv(), path -> true);
        return state.roster()
                .filter(this::anyAlive)
                .map(wanted::plannedOtherwise)
                .orElse(List.of());
    }

    /// A port that was free when it was chosen may be taken when it is used: then once more, with other ports.
    Roster startNew(ClusterShape shape) {
        try {
            return start(newRoster(shape));
        } catch (Readiness.PortTaken taken) {
            console.note(taken.getMessage() + "; starting again with other ports");
            state.roster().ifPresent(this::stop);
            return start(newRoster(shape));
        }
    }

    Roster newRoster(ClusterShape shape) {
        var programs = Programs.of(state.paths(), System.getenv(), Executables::isThere);
        var keys = shape.store() == StoreKind.S3 ? state.makeS3Keys() : null;
        var traces = TraceExport.of(System.getenv());
        var roster = new ClusterPlan(programs, newNetwork(shape), keys, traces, shape).roster();
        if (roster.member(ClusterPlan.GATEWAY).port() != ClusterPlan.GATEWAY_PORT) {
            console.note("port " + ClusterPlan.GATEWAY_PORT + " is taken, the gateway is at " + roster.gateway());
        }
        return roster;
    }

    /// Nothing of the cluster runs: what an earlier one left of its network goes first.
    private Network newNetwork(ClusterShape shape) {
        leaveNetwork();
        return shape.layout().netns()
                ? links.make(Namespaces.subnets(state.paths()), ClusterPlan.names(shape))
                : new Loopback(new Ports()::free);
    }

    /// Afterwards no namespace and no link of the cluster is left. The caller holds the lock, and nothing runs.
    void leaveNetwork() {
        links.remove();
    }

    private Roster start(Roster roster) {
        var current = roster;
        var started = new HashSet<String>();
        for (var member : roster.members()) {
            if (!processes.isAlive(member)) {
                current = current.with(processes.start(member, state.freshOutput(member.name())));
                state.write(current);
                started.add(member.name());
            }
        }
        await(current, started);
        return current;
    }

    /// Those that ran before may rightly not be ready: something that they need may be away.
    private void await(Roster roster, Set<String> started) {
        var deadline = Instant.now().plus(START_PATIENCE);
        int ready = 0;
        try (var progress = console.progress("starting", roster.members().size())) {
            for (var member : roster.members()) {
                if (started.contains(member.name())) {
                    readiness.await(member, deadline);
                } else {
                    readiness.awaitLive(member, deadline);
                }
                progress.at(++ready, member.name());
            }
        }
    }

    /// Afterwards no process of the cluster runs, and nothing of its network is left; returns how many did.
    public int down() {
        try (var lock = state.lock()) {
            var stopped = state.roster().map(this::stop).orElse(0);
            leaveNetwork();
            state.forgetRoster();
            return stopped;
        }
    }

    /// Functions go first, broker and S3 server last, those of one kind together. Where one cannot be stopped, the
    /// roster stays.
    int stop(Roster roster) {
        var alive = roster.members().stream()
                .filter(processes::isAlive)
                .collect(Collectors.groupingBy(
                        member -> -ClusterPlan.height(member.name()), TreeMap::new, Collectors.toList()));
        var total = alive.values().stream().mapToInt(List::size).sum();
        int stopped = 0;
        try (var progress = console.progress("stopping", total)) {
            for (var together : alive.values()) {
                together.parallelStream().forEach(this::end);
                stopped += together.size();
                progress.at(stopped, together.getLast().name());
            }
        }
        return stopped;
    }

    /// Returns whether the process ended without being killed.
    boolean end(Member member) {
        var patience = member.isRehearsal() ? REHEARSAL_PATIENCE : STOP_PATIENCE;
        var willing = processes.stop(member, patience);
        if (!willing) {
            console.note(member.name() + " did not end within " + patience.toSeconds() + " s and was killed");
        }
        return willing;
    }

    /// A process that was started again.
    ///
    /// @param killed whether it had to be, for it did not end when it was asked to
    public record Restarted(Member member, boolean killed) {}

    /// Runs a job of metadata-svc's program on the metadata log, while no replica of it runs and the broker does. See
    /// [MetadataJob].
    ///
    /// @param task what is being done, for people
    /// @param after what the cluster is once the job has succeeded
    public MetadataJob.Result run(String task, List<String> arguments, ClusterShape after) {
        return new MetadataJob(this, state, processes, readiness, console).run(task, arguments, after);
    }

    /// As [#run], of a cluster that is down, for a job that needs no broker.
    public MetadataJob.Result runAlone(String task, List<String> arguments, ClusterShape after) {
        return new MetadataJob(this, state, processes, readiness, console).runAlone(task, arguments, after);
    }

    /// Stops one process, where it runs, and starts it again on its port and with its data.
    public Restarted restart(String name) {
        try (var lock = state.lock()) {
            var roster = running();
            var member = roster.member(name);
            var killed = !end(member);
            var started = processes.start(member, state.freshOutput(name));
            state.write(roster.with(started));
            readiness.await(started, Instant.now().plus(START_PATIENCE));
            return new Restarted(started, killed);
        }
    }

    /// kill -9 of one process; its roster entry stays, so that it is seen to have ended.
    public void kill(String name) {
        processes.kill(running().member(name));
    }

    /// Makes one process stand still until [#resume].
    public void pause(String name) {
        processes.pause(running().member(name));
    }

    public void resume(String name) {
        processes.resume(running().member(name));
    }

    /// Changes the links of processes that have one of their own; who has none is refused.
    public void change(LinkChange change, List<String> names) {
        var roster = running();
        var members = names.stream().map(roster::member).toList();
        if (!state.shape().layout().netns()) {
            throw CommandFailure.failed(
                    "the processes of this cluster have no links, they share this machine's loopback",
                    "./tarpon down, then: ./tarpon up --netns");
        }
        members.forEach(member -> links.change(change, member));
    }

    /// The processes that were started and do not run.
    public List<String> ended() {
        return state.roster().map(Roster::members).orElse(List.of()).stream()
                .filter(member -> !processes.isAlive(member))
                .map(Member::name)
                .toList();
    }

    public ClusterStatus status() {
        var roster = state.roster();
        if (roster.isEmpty()) {
            return ClusterStatus.down();
        }
        // Side by side, for a process that hangs is waited for.
        var members = roster.get().members().parallelStream().map(this::status).toList();
        if (members.stream().allMatch(member -> member.state().equals("exited"))) {
            return new ClusterStatus("down", null, members, List.of());
        }
        var up = members.stream().allMatch(member -> member.state().equals("up"));
        return new ClusterStatus(up ? "up" : "degraded", roster.get().gateway(), members, nodes(roster.get()));
    }

    private ClusterStatus.MemberState status(Member member) {
        var alive = processes.isAlive(member);
        var memberState = !alive ? "exited" : readiness.isReady(member) ? "up" : "starting";
        var rss = alive ? ProcessFacts.residentBytes(member.pid()) : 0;
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
        var services = roster.members().stream().filter(Member::isBlockService).count();
        while (nodeList(roster).nodes().stream()
                        .filter(node -> node.state() == NodeState.UP)
                        .count()
                < services) {
            if (Instant.now().isAfter(deadline)) {
                throw CommandFailure.failed("not every block service joined", "look at: ./tarpon status");
            }
            Pause.of(NODE_PAUSE);
        }
    }

    private static NodeList nodeList(Roster roster) {
        try (var metadata = MetadataClient.readOnly(roster.metadata())) {
            return metadata.nodes();
        } catch (IOException | TarponException e) {
            return new NodeList(0, List.of());
        }
    }
}

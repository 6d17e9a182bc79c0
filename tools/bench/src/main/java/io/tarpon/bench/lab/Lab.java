package io.tarpon.bench.lab;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.Pause;
import io.tarpon.cluster.console.Console;
import io.tarpon.cluster.disk.Executables;
import io.tarpon.cluster.disk.LogTail;
import io.tarpon.cluster.disk.ProcessFacts;
import io.tarpon.cluster.plan.ClusterPaths;
import io.tarpon.cluster.plan.ClusterPlan;
import io.tarpon.cluster.plan.ClusterShape;
import io.tarpon.cluster.plan.Member;
import io.tarpon.cluster.plan.Programs;
import io.tarpon.cluster.plan.Roster;
import io.tarpon.cluster.plan.TraceExport;
import io.tarpon.cluster.process.Ports;
import io.tarpon.cluster.process.Processes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Processes that belong together, with a state folder of their own, written to its roster as soon as they run:
/// were this process killed, `TARPON_HOME=<folder> tarpon down` would find them. Closing it stops them all, the
/// last first.
///
/// Owned by one thread.
public final class Lab implements AutoCloseable {
    private static final Duration START_PATIENCE = Duration.ofSeconds(90);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(10);
    private static final Duration PROBE_PATIENCE = Duration.ofSeconds(2);
    private static final Duration PROBE_PAUSE = Duration.ofMillis(100);

    private final Context context;
    private final Processes processes = new Processes(ProcessFacts.detacher());
    private final Ports ports = new Ports();
    private final List<Member> members = new ArrayList<>();

    private Lab(Context context) {
        this.context = context;
    }

    public static Lab open(Console console, Path home, Path product) {
        var paths = new ClusterPaths(home, product);
        ClusterPlan.requireUsable(paths);
        var context = Context.of(console, paths);
        context.state().createFolders(ClusterPlan.folders(paths));
        context.state().makeToken();
        return new Lab(context);
    }

    public Context context() {
        return context;
    }

    public int freePort() {
        return ports.free(0);
    }

    /// The processes of a local cluster, none of them started; objects lie in a folder, or on an S3 server.
    public Roster plan(boolean inBuckets) {
        return plan(inBuckets, ClusterShape.USUAL);
    }

    /// The same of another shape.
    public Roster plan(boolean inBuckets, ClusterShape shape) {
        var programs = Programs.of(context.state().paths(), System.getenv(), Executables::isThere);
        var keys = inBuckets ? context.state().makeS3Keys() : null;
        return new ClusterPlan(programs, wanted -> ports.free(0), keys, TraceExport.off(), shape).roster();
    }

    /// The processes that run, in the order they were started.
    public Roster roster() {
        return new Roster(members);
    }

    /// Starts a process and waits until it answers.
    public Member start(Member member) {
        var started = launch(member);
        awaitReady(started);
        return started;
    }

    /// Starts the processes together and waits until all answer.
    public List<Member> start(List<Member> together) {
        var started = together.stream().map(this::launch).toList();
        started.forEach(this::awaitReady);
        return started;
    }

    private Member launch(Member member) {
        var started = processes.start(member, context.state().freshOutput(member.name()));
        members.add(started);
        context.state().write(roster());
        return started;
    }

    /// Takes on a process that was started otherwise, so that it is found and stopped like the others.
    void adopt(String name, String url, ProcessHandle process) {
        var began = process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        members.add(Member.of(name, url, List.of(), Map.of()).startedAs(process.pid(), began));
        context.state().write(roster());
    }

    public void stop(Member member) {
        processes.stop(member, STOP_PATIENCE);
        members.removeIf(running -> running.name().equals(member.name()));
        context.state().write(roster());
    }

    private void awaitReady(Member member) {
        var deadline = System.nanoTime() + START_PATIENCE.toNanos();
        while (!isReady(member)) {
            if (!processes.isAlive(member)) {
                throw CommandFailure.failed(member.name() + " ended while starting: " + lastWords(member), "");
            }
            if (System.nanoTime() - deadline > 0) {
                throw CommandFailure.failed(member.name() + " did not become ready in time", "");
            }
            Pause.of(PROBE_PAUSE);
        }
    }

    private boolean isReady(Member member) {
        return member.command().contains("-jar")
                ? context.http().answers(member.url() + "/q/health/ready", PROBE_PATIENCE)
                : accepts(member);
    }

    private static boolean accepts(Member member) {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(member.host(), member.port()), (int) PROBE_PATIENCE.toMillis());
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private String lastWords(Member member) {
        var paths = context.state().paths();
        return new LogTail(paths.output(member.name()))
                .lastWords()
                .or(() -> new LogTail(paths.log(member.name())).lastWords())
                .orElse("it said nothing");
    }

    @Override
    public void close() {
        // Whoever was interrupted still tidies up; the interrupt is for what comes after.
        var interrupted = Thread.interrupted();
        try {
            for (var member : List.copyOf(members).reversed()) {
                stop(member);
            }
            context.state().forgetRoster();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

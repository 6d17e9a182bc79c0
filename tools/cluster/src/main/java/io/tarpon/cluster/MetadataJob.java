package io.tarpon.cluster;

import io.tarpon.cluster.console.Console;
import io.tarpon.cluster.disk.StateFolder;
import io.tarpon.cluster.plan.ClusterPlan;
import io.tarpon.cluster.plan.ClusterShape;
import io.tarpon.cluster.plan.LogPlace;
import io.tarpon.cluster.plan.Member;
import io.tarpon.cluster.plan.Roster;
import io.tarpon.cluster.process.Processes;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// A job of metadata-svc's program on the metadata log of a local cluster.
///
/// Of a cluster that runs the replicas are stopped for it and started again after it, over the log where it is then;
/// the others wait for them meanwhile. Where their number changes, everybody is told of it by being started anew. Of a
/// cluster that is down, the broker alone is started for it, and stopped.
///
/// Crash points: where this process dies, the job may go on to its end or not; `down` finds what runs, and the same
/// command does what is left. Where the log has moved and that is not remembered yet, metadata-svc refuses its folder
/// until the command is given again.
public final class MetadataJob {
    private static final Duration START_PATIENCE = Duration.ofSeconds(90);
    private static final Pattern PROGRESS = Pattern.compile("([a-z]+) done=([0-9]{1,18}) total=([0-9]{1,18})");
    private static final Pattern NUMBER = Pattern.compile(" ([a-z]+)=([0-9]{1,18})(?= |$)");
    private static final String FAILURE = "metadata-svc: ";

    private final LocalCluster cluster;
    private final StateFolder state;
    private final Processes processes;
    private final Readiness readiness;
    private final Console console;

    MetadataJob(LocalCluster cluster, StateFolder state, Processes processes, Readiness readiness, Console console) {
        this.cluster = cluster;
        this.state = state;
        this.processes = processes;
        this.readiness = readiness;
        this.console = console;
    }

    /// What the job said in its last line.
    public record Result(Map<String, Long> numbers) {
        public Result {
            numbers = Map.copyOf(numbers);
        }

        public long number(String name) {
            return numbers.getOrDefault(name, 0L);
        }
    }

    Result run(String task, List<String> arguments, ClusterShape after) {
        ClusterPlan.requireUsable(state.paths());
        try (var lock = state.lock()) {
            var running = state.roster().filter(cluster::anyAlive);
            if (running.isEmpty()) {
                return whileDown(task, arguments, after);
            }
            var replicas = replicas(running.get());
            if (replicas.size() == after.metadataReplicas()) {
                return whileOthersWait(running.get(), replicas, task, arguments, after);
            }
            cluster.stop(running.get());
            state.forgetRoster();
            try {
                return whileDown(task, arguments, after);
            } finally {
                cluster.startNew(state.shape());
            }
        }
    }

    Result runAlone(String task, List<String> arguments, ClusterShape after) {
        ClusterPlan.requireUsable(state.paths());
        try (var lock = state.lock()) {
            if (state.roster().filter(cluster::anyAlive).isPresent()) {
                throw CommandFailure.failed("this cluster runs, and so does its metadata", "stop it: ./tarpon down");
            }
            state.choose(after);
            state.createFolders(ClusterPlan.folders(state.paths()));
            try {
                return job(replicas(cluster.newRoster(after)).getFirst(), task, arguments);
            } finally {
                cluster.leaveNetwork();
            }
        }
    }

    private static List<Member> replicas(Roster roster) {
        return roster.members().stream().filter(Member::isMetadata).toList();
    }

    private Result whileOthersWait(
            Roster roster, List<Member> replicas, String task, List<String> arguments, ClusterShape after) {
        if (!processes.isAlive(roster.member(ClusterPlan.BROKER))) {
            throw CommandFailure.failed(
                    "the broker of this cluster does not run, and the metadata log cannot be moved without it",
                    "start it with: ./tarpon up");
        }
        var ran = replicas.stream().filter(processes::isAlive).toList();
        ran.parallelStream().forEach(cluster::end);
        try {
            var result = job(replicas.getFirst(), task, arguments);
            state.remember(after);
            return result;
        } finally {
            startAgain(over(state.shape().log(), roster), ran);
        }
    }

    private static Roster over(LogPlace place, Roster roster) {
        var changed = roster;
        for (var replica : replicas(roster)) {
            changed = changed.with(ClusterPlan.over(place, replica));
        }
        return changed;
    }

    private void startAgain(Roster roster, List<Member> ran) {
        var current = roster;
        for (var before : ran) {
            var started = processes.start(roster.member(before.name()), state.freshOutput(before.name()));
            current = current.with(started);
            state.write(current);
        }
        var deadline = Instant.now().plus(START_PATIENCE);
        for (var before : ran) {
            readiness.await(current.member(before.name()), deadline);
        }
    }

    private Result whileDown(String task, List<String> arguments, ClusterShape after) {
        state.createFolders(ClusterPlan.folders(state.paths()));
        state.makeToken();
        var planned = cluster.newRoster(after);
        var broker = processes.start(planned.member(ClusterPlan.BROKER), state.freshOutput(ClusterPlan.BROKER));
        var roster = planned.with(broker);
        state.write(roster);
        try {
            readiness.await(broker, Instant.now().plus(START_PATIENCE));
            var result = job(replicas(roster).getFirst(), task, arguments);
            state.remember(after);
            return result;
        } finally {
            cluster.stop(roster);
            cluster.leaveNetwork();
            state.forgetRoster();
        }
    }

    private Result job(Member replica, String task, List<String> arguments) {
        var said = new Said();
        int status;
        try (var progress = console.progress(task, 0)) {
            status = processes.run(replica, ClusterPlan.job(replica, arguments), line -> {
                var match = PROGRESS.matcher(line);
                if (match.matches()) {
                    progress.total(Long.parseLong(match.group(3)));
                    progress.at(Long.parseLong(match.group(2)), match.group(1));
                } else {
                    said.line(line);
                }
            });
        }
        if (status != 0) {
            throw CommandFailure.failed(said.why, "the metadata is where it was; see to that, then try again");
        }
        return new Result(said.numbers);
    }

    /// The last words of a job.
    private static final class Said {
        private String why = "the job on the metadata log ended without a word";
        private Map<String, Long> numbers = Map.of();

        private void line(String line) {
            if (line.startsWith(FAILURE)) {
                why = line.substring(FAILURE.length());
            } else {
                var found = new HashMap<String, Long>();
                NUMBER.matcher(line).results().forEach(one -> found.put(one.group(1), Long.parseLong(one.group(2))));
                numbers = found.isEmpty() ? numbers : found;
            }
        }
    }
}

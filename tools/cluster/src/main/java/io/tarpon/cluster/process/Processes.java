package io.tarpon.cluster.process;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.disk.ProcessFacts;
import io.tarpon.cluster.plan.Member;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Processes of the operating system. One is ours if its pid lives and began at the moment that was written down.
public final class Processes {
    /// The operating system counts start times from boot; a corrected clock may move them this much.
    private static final long CLOCK_STEP_MILLIS = 2_000;

    /// After a kill that cannot be refused, the operating system still has to take the process apart.
    private static final Duration KILL_PATIENCE = Duration.ofSeconds(10);

    private static final Duration POLL = Duration.ofMillis(20);

    /// Settings of the person's shell that would change what the cluster is.
    private static final List<String> FOREIGN_SETTINGS = List.of("TARPON_", "QUARKUS_", "KAFKA_", "AWS_", "OTEL_");

    private final String detacher;

    /// @param detacher a program that runs its arguments out of the terminal's reach, under its own pid
    public Processes(String detacher) {
        this.detacher = detacher;
    }

    /// Starts a process that outlives this one; what it prints replaces what `output` held.
    public Member start(Member member, File output) {
        var command = new ArrayList<String>();
        command.add(detacher);
        command.addAll(member.command());
        var builder = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(ProcessBuilder.Redirect.to(output))
                .redirectErrorStream(true);
        setEnvironment(builder, member);
        try {
            var handle = builder.start().toHandle();
            return member.startedAs(handle.pid(), startedMillis(handle));
        } catch (IOException e) {
            throw CommandFailure.failed(
                    "cannot start " + member.name() + ": " + e.getMessage(), "check the free memory, and " + output);
        }
    }

    private static void setEnvironment(ProcessBuilder builder, Member member) {
        builder.environment()
                .keySet()
                .removeIf(name -> FOREIGN_SETTINGS.stream().anyMatch(name::startsWith));
        builder.environment().putAll(member.environment());
    }

    /// Runs a program of a member to its end, under this process and with the environment of the member. Returns its
    /// exit status.
    ///
    /// @param said takes every line that it prints, of errors too
    public int run(Member member, List<String> command, Consumer<String> said) {
        var builder = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectErrorStream(true);
        setEnvironment(builder, member);
        try {
            var process = builder.start();
            try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
                for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                    said.accept(line);
                }
                return process.waitFor();
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw CommandFailure.failed(
                    "cannot run the program of " + member.name() + ": " + e.getMessage(), "check the free memory");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandFailure.failed("interrupted", "");
        }
    }

    public boolean isAlive(Member member) {
        return handle(member).isPresent();
    }

    private static Optional<ProcessHandle> handle(Member member) {
        return member.pid() == 0
                ? Optional.empty()
                : ProcessHandle.of(member.pid())
                        .filter(ProcessHandle::isAlive)
                        .filter(handle -> !ProcessFacts.isZombie(handle.pid()))
                        .filter(handle ->
                                Math.abs(startedMillis(handle) - member.startedMillis()) <= CLOCK_STEP_MILLIS);
    }

    private static long startedMillis(ProcessHandle handle) {
        return handle.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    /// kill -9. It may still run for a moment after.
    public void kill(Member member) {
        handle(member).ifPresent(ProcessHandle::destroyForcibly);
    }

    /// Makes the process stand still, connections and all, until [#resume].
    public void pause(Member member) {
        signal(member, "STOP");
    }

    public void resume(Member member) {
        signal(member, "CONT");
    }

    /// By the program of that name: the JVM can only ask processes to end.
    private static void signal(Member member, String signal) {
        handle(member).ifPresent(handle -> {
            try {
                var kill = new ProcessBuilder("kill", "-" + signal, Long.toString(handle.pid()))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
                kill.waitFor();
            } catch (IOException e) {
                throw CommandFailure.failed("cannot run 'kill': " + e.getMessage(), "see that it is on the PATH");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw CommandFailure.failed("interrupted", "");
            }
        });
    }

    /// Asks the process to end, waits, and kills it where it does not. Afterwards it does not run. Returns whether it
    /// ended without being killed; so did one that did not run.
    public boolean stop(Member member, Duration patience) {
        var handle = handle(member);
        if (handle.isEmpty()) {
            return true;
        }
        handle.get().destroy();
        if (ProcessFacts.isPaused(handle.get().pid())) {
            resume(member);
        }
        if (ended(member, patience)) {
            return true;
        }
        handle.get().destroyForcibly();
        if (!ended(member, KILL_PATIENCE)) {
            throw CommandFailure.failed(
                    member.name() + " (pid " + member.pid() + ") cannot be ended",
                    "see why the operating system keeps it, then try again");
        }
        return false;
    }

    /// Looks at the process itself: the JVM's own waiting does not see that a zombie has ended.
    private boolean ended(Member member, Duration patience) {
        var deadline = Instant.now().plus(patience);
        while (isAlive(member)) {
            if (Instant.now().isAfter(deadline)) {
                return false;
            }
            try {
                Thread.sleep(POLL);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw CommandFailure.failed("interrupted while " + member.name() + " was stopping", "");
            }
        }
        return true;
    }
}

package io.tarpon.cluster.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.disk.ProcessFacts;
import io.tarpon.cluster.plan.Member;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessesTest {
    @TempDir
    Path scratch = Path.of("");

    private final Processes processes = new Processes(ProcessFacts.detacher());
    private final List<Member> started = new ArrayList<>();

    private Member start(String... command) {
        var member = Member.of("sleeper", "127.0.0.1:1", List.of(command), Map.of("LC_ALL", "C.UTF-8"));
        var running = processes.start(member, scratch.resolve("out").toFile());
        started.add(running);
        return running;
    }

    @AfterEach
    void stopAll() {
        started.forEach(member -> processes.stop(member, Duration.ZERO));
    }

    private static void await(BooleanSupplier condition) {
        var deadline = Instant.now().plusSeconds(20);
        while (!condition.getAsBoolean()) {
            assertThat(Instant.now()).isBefore(deadline);
            java.util.concurrent.locks.LockSupport.parkNanos(10_000_000);
        }
    }

    @Test
    void aStartedProcessLivesUntilItIsStopped() {
        var member = start("sleep", "600");
        assertThat(processes.isAlive(member)).isTrue();
        assertThat(processes.stop(member, Duration.ofSeconds(20))).isTrue();
        assertThat(processes.isAlive(member)).isFalse();
        assertThat(processes.stop(member, Duration.ofSeconds(20))).isTrue();
    }

    @Test
    void aPidIsBelievedOnlyWithItsStartTime() {
        var member = start("sleep", "600");
        var reused = member.startedAs(member.pid(), member.startedMillis() - 60_000);
        assertThat(processes.isAlive(reused)).isFalse();
        processes.stop(reused, Duration.ofSeconds(1));
        assertThat(processes.isAlive(member)).isTrue();
        assertThat(processes.isAlive(member.startedAs(0, 0))).isFalse();
    }

    @Test
    void aProcessThatIgnoresTheRequestToEndIsKilledWhichIsSaid() throws IOException {
        var ready = scratch.resolve("ready");
        var member = start("bash", "-c", "trap '' TERM; touch \"$0\"; while :; do sleep 0.1; done", ready.toString());
        await(() -> Files.exists(ready));
        assertThat(processes.stop(member, Duration.ofMillis(300))).isFalse();
        assertThat(processes.isAlive(member)).isFalse();
    }

    @Test
    void aProcessThatEndedButWasNotAskedForItsExitCodeIsNotAlive() throws IOException {
        // The shell becomes `sleep`, which never asks for the exit code of the child it inherits.
        var child = scratch.resolve("child");
        start("bash", "-c", "sleep 600 & echo $! > \"$0.new\"; mv \"$0.new\" \"$0\"; exec sleep 600", child.toString());
        await(() -> Files.exists(child));
        var pid = Long.parseLong(Files.readString(child).strip());
        var handle = ProcessHandle.of(pid).orElseThrow();
        var begun = handle.info().startInstant().orElseThrow().toEpochMilli();
        var member = Member.of("child", "127.0.0.1:1", List.of(), Map.of()).startedAs(pid, begun);
        assertThat(processes.isAlive(member)).isTrue();
        processes.stop(member, Duration.ofSeconds(20));
        assertThat(processes.isAlive(member)).isFalse();
        assertThat(ProcessFacts.isZombie(pid)).isTrue();
    }

    @Test
    void aProcessGetsItsSettingsButNotThoseOfTheShell() throws IOException {
        var output = scratch.resolve("out");
        start("env");
        await(() -> read(output).contains("LC_ALL=C.UTF-8"));
        assertThat(read(output)).doesNotContain("TARPON_").doesNotContain("QUARKUS_");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }

    @Test
    void aProgramThatCannotBeStartedIsSaid() {
        var nowhere = new Processes(scratch.resolve("no-such-program").toString());
        var member = Member.of("kafka", "127.0.0.1:1", List.of("sleep", "1"), Map.of());
        assertThatThrownBy(() -> nowhere.start(member, scratch.resolve("out").toFile()))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("kafka");
    }
}

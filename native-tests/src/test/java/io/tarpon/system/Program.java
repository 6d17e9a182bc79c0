package io.tarpon.system;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A program that a user would run beside Tarpon: curl, an example. What it prints goes to a file, errors among
/// it, so that it never waits for who reads it.
final class Program {
    private static final long MINUTES = 20;

    private final Process process;
    private final Path printed;

    private Program(Process process, Path printed) {
        this.process = process;
        this.printed = printed;
    }

    /// How a program ended, and all it printed.
    record Ran(int exit, String printed) {
        Ran succeeded() {
            if (exit != 0) {
                throw new AssertionError("exit " + exit + "\n" + printed);
            }
            return this;
        }
    }

    /// The path of a script of the examples.
    static String example(String name) {
        return Path.of(System.getProperty("tarpon.product"), "examples", name).toString();
    }

    static Program start(List<String> command) throws IOException {
        return start(command, Map.of());
    }

    /// @param environment besides what this process has
    static Program start(List<String> command, Map<String, String> environment) throws IOException {
        var printed = Files.createTempFile("program", ".out");
        var builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(printed.toFile());
        builder.environment().putAll(environment);
        return new Program(builder.start(), printed);
    }

    boolean isRunning() {
        return process.isAlive();
    }

    String printed() {
        try {
            return Files.readString(printed, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    Ran await() throws InterruptedException {
        if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
            kill();
            throw new AssertionError("did not end:\n" + printed());
        }
        return new Ran(process.exitValue(), printed());
    }

    /// kill -9 for it and all processes it started, as a scheduler ends a job.
    void kill() throws InterruptedException {
        var all = Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .toList();
        all.forEach(ProcessHandle::destroyForcibly);
        process.waitFor();
    }
}

package io.tarpon.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A server of this module as the real process it is, on the class path it has when it is used.
public final class ServerProcess implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("ready ([a-z0-9-]+) port=(\\d+) pid=(\\d+)");
    private static final long SECONDS = 90;

    private final Process process;
    private final BufferedReader out;
    private final Path err;
    private final int port;

    private ServerProcess(Process process, BufferedReader out, Path err, int port) {
        this.process = process;
        this.out = out;
        this.err = err;
        this.port = port;
    }

    /// How a process ended that never became ready.
    public record Ended(int status, String out, String err) {}

    public static ServerProcess start(Class<?> main, int heapMib, String... args) throws Exception {
        return start(main, heapMib, Map.of(), args);
    }

    public static ServerProcess start(Class<?> main, int heapMib, Map<String, String> environment, String... args)
            throws Exception {
        Path err = Files.createTempFile("server", ".err");
        Process process = launch(main, heapMib, environment, err, args);
        BufferedReader out = process.inputReader();
        String line = nextLine(out);
        Matcher ready = READY.matcher(line == null ? "" : line);
        if (!ready.matches()) {
            process.destroyForcibly().waitFor();
            throw new AssertionError("not ready: " + line + "\n" + Files.readString(err));
        }
        assertThat(Long.parseLong(ready.group(3))).isEqualTo(process.pid());
        return new ServerProcess(process, out, err, Integer.parseInt(ready.group(2)));
    }

    /// Waits for a process that is expected to refuse.
    public static Ended refused(Class<?> main, String... args) throws Exception {
        Path err = Files.createTempFile("server", ".err");
        try {
            Process process = launch(main, 192, Map.of(), err, args);
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
                throw new AssertionError("still runs:\n" + Files.readString(err));
            }
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Ended(process.exitValue(), out, Files.readString(err).strip());
        } finally {
            Files.delete(err);
        }
    }

    private static Process launch(Class<?> main, int heapMib, Map<String, String> environment, Path err, String... args)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heapMib + "m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                "target/classes:target/lib/*",
                main.getName()));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(err.toFile());
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static @Nullable String nextLine(BufferedReader out) throws Exception {
        return CompletableFuture.supplyAsync(() -> {
                    try {
                        return out.readLine();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .get(SECONDS, TimeUnit.SECONDS);
    }

    public int port() {
        return port;
    }

    public long pid() {
        return process.pid();
    }

    /// Sends a line to the server's stdin and returns the line it answers.
    public @Nullable String tell(String command) throws Exception {
        process.outputWriter().write(command + "\n");
        process.outputWriter().flush();
        return nextLine(out);
    }

    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /// Stops it by SIGTERM; fails if it needs more than that or says on stderr that it did not close well.
    @Override
    public void close() throws Exception {
        // By its handle: Process.destroy would close the pipes we still want to read.
        process.toHandle().destroy();
        boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
        String more = ended ? out.readLine() : null;
        process.destroyForcibly().waitFor();
        String said = Files.readString(err);
        Files.delete(err);
        assertThat(ended).as("ends on SIGTERM").isTrue();
        assertThat(said).doesNotContain("did not close cleanly", "still closing");
        assertThat(more).as("more on stdout").isNull();
    }
}

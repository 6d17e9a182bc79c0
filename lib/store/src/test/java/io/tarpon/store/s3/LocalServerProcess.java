package io.tarpon.store.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// A server of a module of local-servers, built before this one, in a JVM of its own.
final class LocalServerProcess implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("ready [a-z0-9-]+ port=(\\d+) pid=\\d+");

    private final Process process;
    private final int port;

    private LocalServerProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /// Returns when it takes connections.
    static LocalServerProcess start(String module, String mainClass, int heapMib, String... arguments)
            throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heapMib + "m",
                "-XX:+UseSerialGC",
                "-cp",
                classPath(module),
                mainClass));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String line = process.inputReader(UTF_8).readLine();
        var ready = READY.matcher(line == null ? "" : line);
        if (!ready.matches()) {
            process.destroyForcibly();
            throw new IOException(mainClass + " did not start, it said: " + line);
        }
        return new LocalServerProcess(process, Integer.parseInt(ready.group(1)));
    }

    int port() {
        return port;
    }

    /// A line to its stdin; returns the line it answers.
    String tell(String command) throws IOException {
        process.outputWriter(UTF_8).write(command + "\n");
        process.outputWriter(UTF_8).flush();
        String answer = process.inputReader(UTF_8).readLine();
        if (answer == null || !answer.startsWith("done ")) {
            throw new IOException("told " + command + ", it said: " + answer);
        }
        return answer;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static String classPath(String module) throws IOException {
        Path built = Path.of(System.getProperty("tarpon.local-servers", "../../tools/local-servers"))
                .resolve(module)
                .resolve("target")
                .toAbsolutePath()
                .normalize();
        Path jar = built.resolve("local-servers-" + module + ".jar");
        Path classes = Files.exists(jar) ? jar : built.resolve("classes");
        if (!Files.exists(classes) || !Files.isDirectory(built.resolve("lib"))) {
            throw new IOException(
                    "no server in " + built + ": build it first, mvn -pl local-servers/" + module + " package");
        }
        return built.resolve("lib") + "/*:" + classes;
    }
}

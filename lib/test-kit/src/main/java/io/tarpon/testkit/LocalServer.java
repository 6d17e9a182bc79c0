package io.tarpon.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// A server of a module below tools/local-servers, built before the module under test, in a JVM of its own.
public final class LocalServer implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("ready [a-z0-9-]+ port=(\\d+) pid=\\d+");
    private static final long STOP_SECONDS = 10;

    private final Process process;
    private final int port;

    private LocalServer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /// Returns when it takes connections.
    ///
    /// @param module its folder below tools/local-servers
    public static LocalServer start(String module, String mainClass, int heapMib, String... arguments)
            throws IOException {
        return start(module, mainClass, List.of("-Xmx" + heapMib + "m"), Redirect.INHERIT, List.of(arguments));
    }

    /// @param options of its JVM
    static LocalServer start(
            String module, String mainClass, List<String> options, Redirect errors, List<String> arguments)
            throws IOException {
        var command = new ArrayList<>(List.of(Jvm.program("java"), "-XX:+UseSerialGC"));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath(module), mainClass));
        command.addAll(arguments);
        var process = new ProcessBuilder(command).redirectError(errors).start();
        var line = process.inputReader(UTF_8).readLine();
        var ready = READY.matcher(line == null ? "" : line);
        if (!ready.matches()) {
            process.destroyForcibly();
            throw new IOException(mainClass + " did not start, it said: " + line);
        }
        return new LocalServer(process, Integer.parseInt(ready.group(1)));
    }

    public int port() {
        return port;
    }

    /// A line to its stdin; returns the line it answers.
    public String tell(String command) throws IOException {
        process.outputWriter(UTF_8).write(command + "\n");
        process.outputWriter(UTF_8).flush();
        var answer = process.inputReader(UTF_8).readLine();
        if (answer == null || !answer.startsWith("done ")) {
            throw new IOException("told " + command + ", it said: " + answer);
        }
        return answer;
    }

    /// At once, and in the middle of what it does.
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static String classPath(String module) throws IOException {
        var built = home().resolve(module).resolve("target");
        var jar = built.resolve("local-servers-" + module + ".jar");
        var classes = Files.exists(jar) ? jar : built.resolve("classes");
        if (!Files.exists(classes) || !Files.isDirectory(built.resolve("lib"))) {
            throw new IOException("no server in " + built + ": build it first, mvn -pl tools/local-servers/" + module
                    + " -am package");
        }
        return built.resolve("lib") + "/*:" + classes;
    }

    /// Looked for from the module under test upwards: a setting would have to be made in every module and every IDE.
    private static Path home() throws IOException {
        var here = Path.of("").toAbsolutePath();
        for (var folder = here; folder != null; folder = folder.getParent()) {
            var home = folder.resolve("tools").resolve("local-servers");
            if (Files.isDirectory(home)) {
                return home;
            }
        }
        throw new IOException("no tools/local-servers above " + here);
    }
}

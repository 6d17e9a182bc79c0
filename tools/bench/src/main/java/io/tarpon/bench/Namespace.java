package io.tarpon.bench;

import io.tarpon.bench.disk.MachineFacts;
import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Interruption;
import io.tarpon.cluster.console.Console;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Runs the benchmarks in a JVM of their own: with the compilers and the memory that a client needs who must not be the
/// bottleneck, and where the host's TCP is paced (BBR), in a network namespace under reno, servers and client together.
public final class Namespace {
    /// Says that a process is the inner one, and whether it has a namespace of its own.
    public static final String INSIDE = "--inside";

    static final String OWN = "own";
    static final String HOST = "host";

    private static final Set<String> UNPACED = Set.of("reno", "cubic");
    private static final String SET_UP =
            "ip link set lo up && echo reno > /proc/sys/net/ipv4/tcp_congestion_control && exec \"$@\"";

    private Namespace() {}

    /// Whether an inner process that was told so has a namespace of its own.
    public static boolean isOwn(@Nullable String inside) {
        return OWN.equals(inside);
    }

    /// The command that begins a namespace and goes on with `command` in it, under the same pid.
    static List<String> wrapped(List<String> command) {
        var all = new ArrayList<>(List.of("unshare", "-Urn", "sh", "-c", SET_UP, "sh"));
        all.addAll(command);
        return all;
    }

    /// The inner process: this JVM's class path and the arguments that this one was given.
    static List<String> inner(List<String> arguments, String where) {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command = new ArrayList<>(List.of(
                java,
                "-Xmx768m",
                "-XX:MaxDirectMemorySize=512m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "io.tarpon.cli.Tarpon"));
        command.addAll(arguments);
        command.addAll(List.of(INSIDE, where));
        return command;
    }

    /// Runs the same command once more, inside; returns its exit code. Ctrl-C reaches both, and the inner one tidies
    /// up.
    public static int run(Console console, List<String> arguments) {
        var own = !UNPACED.contains(MachineFacts.congestionControl()) && canWrap(console);
        var inner = inner(arguments, own ? OWN : HOST);
        try (var interruption = Interruption.open()) {
            var process =
                    new ProcessBuilder(own ? wrapped(inner) : inner).inheritIO().start();
            try {
                return process.waitFor();
            } catch (InterruptedException e) {
                interruption.calm();
                process.destroy();
                return process.waitFor();
            }
        } catch (IOException e) {
            throw CommandFailure.failed("cannot start the benchmark's process: " + e.getMessage(), "");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandFailure.failed("interrupted", "");
        }
    }

    private static boolean canWrap(Console console) {
        try {
            var probe = new ProcessBuilder(wrapped(List.of("true")))
                    .redirectErrorStream(true)
                    .start();
            probe.getOutputStream().close();
            var said = new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (probe.waitFor() == 0) {
                return true;
            }
            console.note("no network namespace can be made here: " + said.strip());
        } catch (IOException e) {
            console.note("no network namespace can be made here: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }
}

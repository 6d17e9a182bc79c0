package io.tarpon.servers;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/// The life of a server process: start, one line `ready <name> port=<port> pid=<pid>` on stdout, serve until SIGTERM.
///
/// Exit status 2 is a wrong command line, 1 a server that cannot start, each with one line on stderr. Whatever
/// libraries print on stdout goes to stderr.
public final class Launch {
    private static final Duration STOP_AT_MOST = Duration.ofSeconds(20);
    private static final int USAGE = 2;
    private static final int FAILED = 1;

    /// Starts the server; on return it takes connections.
    @FunctionalInterface
    public interface Start {
        LocalServer start(Arguments arguments, PrintStream out) throws Exception;
    }

    private Launch() {}

    /// Does not return: the process ends here or by a signal.
    public static void run(String name, List<String> known, Start start, String... args) {
        PrintStream out = System.out;
        System.setOut(System.err);
        try {
            LocalServer server = start.start(Arguments.parse(known, args), out);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(name, server), "stop"));
            out.println("ready " + name + " port=" + server.port() + " pid="
                    + ProcessHandle.current().pid());
            out.flush();
            new CountDownLatch(1).await();
        } catch (UsageException e) {
            end(USAGE, name + ": " + e.getMessage());
        } catch (StartException e) {
            end(FAILED, name + ": " + e.getMessage());
        } catch (Exception e) {
            end(FAILED, name + ": cannot start: " + reason(e));
        }
    }

    private static void end(int status, String line) {
        System.err.println(line.replace('\n', ' '));
        System.err.flush();
        // Not exit: a library that stopped half way may hold its own shutdown hooks for ever.
        Runtime.getRuntime().halt(status);
    }

    private static String reason(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getClass().getSimpleName() + ": " + root.getMessage();
    }

    private static void stop(String name, LocalServer server) {
        Thread closing = Thread.ofPlatform().daemon().name("close").start(() -> close(name, server));
        try {
            if (!closing.join(STOP_AT_MOST)) {
                System.err.println(name + ": still closing after " + STOP_AT_MOST.toSeconds() + " s, ends without");
                Runtime.getRuntime().halt(FAILED);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void close(String name, LocalServer server) {
        try {
            server.close();
        } catch (Exception e) {
            System.err.println(name + ": did not close cleanly: " + reason(e));
        }
    }
}

package io.tarpon.cluster;

/// A command that cannot go on. The message names the thing; `next` is what the user can do about it.
public sealed class CommandFailure extends RuntimeException permits Readiness.PortTaken {
    public static final int FAILED = 1;
    public static final int USAGE = 2;
    public static final int NOT_RUNNING = 3;
    private static final long serialVersionUID = 1L;

    private final int exitCode;
    private final String next;

    public CommandFailure(int exitCode, String message, String next) {
        super(message);
        this.exitCode = exitCode;
        this.next = next;
    }

    public static CommandFailure failed(String message, String next) {
        return new CommandFailure(FAILED, message, next);
    }

    public static CommandFailure usage(String message, String next) {
        return new CommandFailure(USAGE, message, next);
    }

    public static CommandFailure notRunning() {
        return new CommandFailure(NOT_RUNNING, "no local cluster is running", "start one with: ./tarpon up");
    }

    public int exitCode() {
        return exitCode;
    }

    /// Empty where there is nothing to suggest.
    public String next() {
        return next;
    }
}

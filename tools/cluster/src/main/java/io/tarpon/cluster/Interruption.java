package io.tarpon.cluster;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// While this is open, Ctrl-C interrupts the thread that opened it and gives it time to tidy up, instead of ending the
/// process under it. Closed by that thread when it has tidied up.
///
/// Races: after `close` the hook finds the flag and returns at once, also when it is `System.exit` of that same
/// thread that runs it; an interrupt that comes after the last wait is taken back by `close`.
public final class Interruption implements AutoCloseable {
    private static final Duration TIDY_PATIENCE = Duration.ofMinutes(2);

    private final Thread worker = Thread.currentThread();
    private final CountDownLatch tidied = new CountDownLatch(1);

    private Interruption() {}

    public static Interruption open() {
        var interruption = new Interruption();
        Runtime.getRuntime().addShutdownHook(new Thread(interruption::interrupt, "interruption"));
        return interruption;
    }

    private void interrupt() {
        if (tidied.getCount() == 0) {
            return;
        }
        worker.interrupt();
        try {
            var inTime = tidied.await(TIDY_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            if (!inTime) {
                System.err.println("tarpon: gave up tidying up; see: ./tarpon status");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// What follows is tidying up: it must not be interrupted by the Ctrl-C that led to it.
    public void calm() {
        Thread.interrupted();
    }

    @Override
    public void close() {
        Thread.interrupted();
        tidied.countDown();
    }
}

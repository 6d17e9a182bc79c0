package io.tarpon.servers.link;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// A client's connection and its twin to the target, with a direction each way. A half that finishes is finished on the
/// other side too; a half that fails takes both sockets with it, by a reset, as a broken network would.
///
/// Its threads are its own: one connects, then two work in each direction. Sockets are thread-safe, and the
/// only other state is the count of halves that are done. A reset interrupts all of them, since the other end
/// of a queue may be gone.
final class Connection {
    private static final int CONNECT_TIMEOUT_MS = 10_000;
    private static final int BOTH = 2;

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private final Socket client;
    private final Socket target = new Socket();
    private final Consumer<Connection> onEnd;
    private final Carried carried;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger finished = new AtomicInteger();

    /// @param onEnd called at least once when nothing more is carried
    Connection(Socket client, Carried carried, Consumer<Connection> onEnd) {
        this.client = client;
        this.carried = carried;
        this.onEnd = onEnd;
    }

    /// Returns at once.
    void carry(InetSocketAddress to, Supplier<LinkSettings> settings) {
        guard(() -> {
            client.setTcpNoDelay(true);
            target.setTcpNoDelay(true);
            target.connect(to, CONNECT_TIMEOUT_MS);
            Direction request = new Direction(() -> requestPace(settings.get()), carried.toTarget());
            Direction answer = new Direction(() -> answerPace(settings.get()), carried.toClient());
            guard(() -> request.read(client.getInputStream()));
            guard(() -> write(request, target));
            guard(() -> answer.read(target.getInputStream()));
            guard(() -> write(answer, client));
        });
    }

    /// Both peers see a reset; bytes on the way are lost.
    void reset() {
        abort(client);
        abort(target);
        threads.shutdownNow();
        onEnd.accept(this);
    }

    private void guard(Work work) {
        try {
            threads.execute(() -> {
                try {
                    work.run();
                } catch (IOException e) {
                    reset();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        } catch (RejectedExecutionException e) {
            // Reset before it began.
        }
    }

    private void write(Direction direction, Socket socket) throws IOException, InterruptedException {
        direction.write(socket.getOutputStream());
        socket.shutdownOutput();
        if (finished.incrementAndGet() == BOTH) {
            client.close();
            target.close();
            threads.shutdown();
            onEnd.accept(this);
        }
    }

    private static Direction.Pace requestPace(LinkSettings settings) {
        return new Direction.Pace(
                TimeUnit.MILLISECONDS.toNanos(settings.requestLatencyMs()), settings.bytesPerSecond(), 0);
    }

    private static Direction.Pace answerPace(LinkSettings settings) {
        return new Direction.Pace(
                TimeUnit.MILLISECONDS.toNanos(settings.answerLatencyMs()),
                settings.bytesPerSecond(),
                settings.resetAfterBytes());
    }

    private static void abort(Socket socket) {
        try {
            // Zero seconds of linger: the kernel drops what is queued and sends RST.
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // Closed by the other half already.
        }
        try {
            socket.close();
        } catch (IOException e) {
            // Nothing is left to break.
        }
    }
}

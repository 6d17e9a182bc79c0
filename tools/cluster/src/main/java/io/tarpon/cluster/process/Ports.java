package io.tarpon.cluster.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/// Free ports on 127.0.0.1. Each is given once by one object; another program may still take it before it is
/// used, which the process that wanted it then reports.
///
/// Ports are drawn below the range from which operating systems number outgoing connections: else the port of a process
/// that is being restarted could be some connection's by then.
public final class Ports {
    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final int LOWEST = 20_000;
    private static final int END = 32_000;
    private static final int DRAWS = 200;

    private final Set<Integer> given = new HashSet<>();
    private final Random random = new Random();

    /// The wanted port if it is free, else any free one; 0 wants any.
    public int free(int wanted) {
        if (wanted != 0 && isFree(wanted) && given.add(wanted)) {
            return wanted;
        }
        for (int draw = 0; draw < DRAWS; draw++) {
            int port = random.nextInt(LOWEST, END);
            if (isFree(port) && given.add(port)) {
                return port;
            }
        }
        return anyFree();
    }

    private int anyFree() {
        while (true) {
            try (var socket = bound(0)) {
                if (given.add(socket.getLocalPort())) {
                    return socket.getLocalPort();
                }
            } catch (IOException e) {
                throw new UncheckedIOException("no free port on loopback", e);
            }
        }
    }

    public static boolean isFree(int port) {
        try (var socket = bound(port)) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private static ServerSocket bound(int port) throws IOException {
        return new ServerSocket(port, 1, InetAddress.getByAddress(LOOPBACK));
    }
}

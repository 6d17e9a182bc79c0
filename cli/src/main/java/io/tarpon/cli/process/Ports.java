package io.tarpon.cli.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;

/// Free ports on loopback. Each is given once by one object; another program may still take it before it is used, which
/// the
/// process that wanted it then reports.
public final class Ports {
    private final Set<Integer> given = new HashSet<>();

    /// The wanted port if it is free, else any free one; 0 wants any.
    public int free(int wanted) {
        if (wanted != 0 && isFree(wanted) && given.add(wanted)) {
            return wanted;
        }
        while (true) {
            try (var socket = bind(0)) {
                if (given.add(socket.getLocalPort())) {
                    return socket.getLocalPort();
                }
            } catch (IOException e) {
                throw new UncheckedIOException("no free port on loopback", e);
            }
        }
    }

    private static boolean isFree(int port) {
        try (var socket = bind(port)) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private static ServerSocket bind(int port) throws IOException {
        var socket = new ServerSocket();
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }
}

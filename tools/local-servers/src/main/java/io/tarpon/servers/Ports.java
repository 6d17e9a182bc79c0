package io.tarpon.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.SplittableRandom;

/// Finds out, before a server starts, whether it can have its port.
public final class Ports {
    // Below Linux's range for outgoing connections, so that no client is given the port between the look and the bind.
    private static final int FIRST = 20_000;
    private static final int LAST = 32_767;
    private static final int TRIES = 200;

    private Ports() {}

    /// The port itself if it is free, for 0 one that is.
    public static int claim(String bind, int port) throws StartException {
        InetAddress address = address(bind);
        if (port != 0) {
            require(address, bind, port);
            return port;
        }
        SplittableRandom random = new SplittableRandom();
        for (int i = 0; i < TRIES; i++) {
            int candidate = random.nextInt(FIRST, LAST + 1);
            if (isFree(address, candidate)) {
                return candidate;
            }
        }
        throw new StartException("found no free port on " + bind + " in " + TRIES + " tries");
    }

    public static StartException taken(String bind, int port, Throwable cause) {
        return new StartException(
                "cannot listen on " + bind + ":" + port + " (" + cause.getMessage()
                        + "): give another --bind or --port (0 is any free port)",
                cause);
    }

    private static InetAddress address(String bind) throws StartException {
        try {
            return InetAddress.getByName(bind);
        } catch (UnknownHostException e) {
            throw new StartException("--bind " + bind + " is no address of this machine", e);
        }
    }

    private static void require(InetAddress address, String bind, int port) throws StartException {
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(address, port));
        } catch (IOException e) {
            throw taken(bind, port, e);
        }
    }

    private static boolean isFree(InetAddress address, int port) {
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(address, port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}

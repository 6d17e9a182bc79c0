package io.tarpon.servers.link;

import io.tarpon.servers.Arguments;
import io.tarpon.servers.Launch;
import io.tarpon.servers.LocalServer;
import io.tarpon.servers.Ports;
import io.tarpon.servers.UsageException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/// A TCP proxy to one target, as slow, narrow or broken as it is told to be.
///
/// Commands come as lines on stdin and are answered one by one on stdout: `reset` breaks every open connection, and
/// `<setting> <number>` changes a setting for open and new ones; `carried` asks for the bytes that went each way so
/// far.
/// The end of stdin changes nothing.
///
/// `settings` is written by the command thread alone and read by all; connections are in the set from accept to end.
public final class SlowLink implements LocalServer {
    private static final int MOST_CONNECTIONS = 1_000;
    private static final int BACKLOG = MOST_CONNECTIONS;

    private final ServerSocket listener;
    private final InetSocketAddress target;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final Carried carried = new Carried();
    private final Semaphore room = new Semaphore(MOST_CONNECTIONS);
    private volatile LinkSettings settings;

    private SlowLink(ServerSocket listener, InetSocketAddress target, LinkSettings settings) {
        this.listener = listener;
        this.target = target;
        this.settings = settings;
    }

    public static void main(String[] args) {
        List<String> known = Stream.concat(
                        Stream.of("--bind", "--port", "--to"),
                        LinkSettings.NAMES.stream().map(name -> "--" + name))
                .toList();
        Launch.run("slow-link", known, SlowLink::start, args);
    }

    private static SlowLink start(Arguments arguments, PrintStream out) throws Exception {
        String bind = arguments.text("--bind", "127.0.0.1");
        int port = arguments.port("--port");
        InetSocketAddress target = target(arguments.required("--to"));
        LinkSettings settings = LinkSettings.from(arguments);
        ServerSocket listener = new ServerSocket();
        try {
            listener.bind(new InetSocketAddress(bind, port), BACKLOG);
        } catch (SocketException e) {
            throw Ports.taken(bind, port, e);
        }
        SlowLink link = new SlowLink(listener, target, settings);
        Thread.ofVirtual().name("accept").start(link::accept);
        Thread.ofPlatform().daemon().name("commands").start(() -> link.obey(out));
        return link;
    }

    private static InetSocketAddress target(String hostAndPort) throws UsageException {
        int colon = hostAndPort.lastIndexOf(':');
        if (colon < 1) {
            throw new UsageException("--to must be host:port, not \"" + hostAndPort + "\"");
        }
        long port = Arguments.bounded("the port of --to", hostAndPort.substring(colon + 1), 1, 65_535);
        InetSocketAddress target = new InetSocketAddress(hostAndPort.substring(0, colon), (int) port);
        if (target.isUnresolved()) {
            throw new UsageException("--to names an unknown host: " + target.getHostString());
        }
        return target;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                room.acquire();
                Socket client = listener.accept();
                Connection connection = new Connection(client, carried, this::ended);
                connections.add(connection);
                connection.carry(target, () -> settings);
            } catch (InterruptedException e) {
                return;
            } catch (IOException e) {
                // Closed, or the client went before it was accepted.
                room.release();
            }
        }
    }

    private void ended(Connection connection) {
        if (connections.remove(connection)) {
            room.release();
        }
    }

    private void obey(PrintStream out) {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                out.println(obey(line.strip()));
                out.flush();
            }
        } catch (IOException e) {
            System.err.println("slow-link: commands end: " + e.getMessage());
        }
    }

    private String obey(String command) {
        if (command.equals("reset")) {
            List<Connection> open = List.copyOf(connections);
            open.forEach(Connection::reset);
            return "done reset connections=" + open.size();
        }
        if (command.equals("carried")) {
            return "done " + carried;
        }
        try {
            String[] words = command.split(" +", 2);
            settings = settings.with(words[0], words.length == 2 ? words[1] : "");
            return "done " + command;
        } catch (UsageException e) {
            return "refused " + e.getMessage();
        }
    }

    @Override
    public int port() {
        return listener.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        connections.forEach(Connection::reset);
    }
}

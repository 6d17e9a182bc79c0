package io.tarpon.store.s3;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/// A server that gives one prepared answer to each connection, as it stands, and then hangs up: what a real S3 server
/// cannot be made to do.
final class FaultyServer implements AutoCloseable {
    /// Accepts and says nothing until it is closed.
    static final String SILENCE = "";

    private final ServerSocket listener;
    private final Queue<String> answers;
    private final List<Socket> silent = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    FaultyServer(String... answers) throws IOException {
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.answers = new ConcurrentLinkedQueue<>(List.of(answers));
        Thread.ofVirtual().name("faulty-server").start(this::serve);
    }

    static String answer(String status, String headers, String body) {
        return "HTTP/1.1 " + status + "\r\nConnection: close\r\n" + headers + "\r\n" + body;
    }

    Bucket bucket() {
        return Bucket.open("test", new TestS3Config("http://127.0.0.1:" + listener.getLocalPort(), "bucket", ""));
    }

    /// Heads of the requests so far, in lower case.
    List<String> requests() {
        return requests;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : silent) {
            socket.close();
        }
    }

    private void serve() {
        while (!listener.isClosed()) {
            try {
                answer(listener.accept());
            } catch (IOException e) {
                // The client hung up, or the listener was closed.
            }
        }
    }

    private void answer(Socket socket) throws IOException {
        requests.add(head(socket));
        String answer = answers.size() > 1 ? answers.remove() : answers.element();
        if (answer.equals(SILENCE)) {
            silent.add(socket);
            return;
        }
        try (socket) {
            socket.getOutputStream().write(answer.getBytes(UTF_8));
        }
    }

    private static String head(Socket socket) throws IOException {
        var reader = new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
        var head = new StringBuilder();
        for (String line = reader.readLine(); line != null && !line.isEmpty(); line = reader.readLine()) {
            head.append(line.toLowerCase(java.util.Locale.ROOT)).append('\n');
        }
        return head.toString();
    }
}

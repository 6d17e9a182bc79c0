package io.tarpon.store.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/// A server that gives one prepared answer to each connection, as it stands, and then hangs up: what a real S3 server
/// cannot be made to do.
final class FaultyServer implements AutoCloseable {
    /// Accepts and says nothing until it is closed.
    static final String SILENCE = "";

    /// Put before an answer: its last thirty bytes follow one by one, ten a second.
    static final String SLOWLY = "slowly ";

    private static final Pattern LENGTH = Pattern.compile("\ncontent-length: (\\d+)\n");

    private final ServerSocket listener;
    private final UnaryOperator<String> answers;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    /// Gives the answers one after the other, and the last of them from then on.
    FaultyServer(String... answers) throws IOException {
        this(0, answers);
    }

    FaultyServer(int port, String... answers) throws IOException {
        this(port, inTurn(new ConcurrentLinkedQueue<>(List.of(answers))));
    }

    /// @param answers the answer to a request by its head in lower case; called by several threads
    FaultyServer(int port, UnaryOperator<String> answers) throws IOException {
        this.listener = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        this.answers = answers;
        Thread.ofVirtual().name("faulty-server").start(this::serve);
    }

    static String answer(String status, String headers, String body) {
        return "HTTP/1.1 " + status + "\r\nConnection: close\r\n" + headers + "\r\n" + body;
    }

    /// An answer that an S3 server gives as XML.
    static String xml(String status, String body) {
        return answer(status, "Content-Type: application/xml\r\nContent-Length: " + body.length() + "\r\n", body);
    }

    TestS3Config config() {
        return new TestS3Config("http://127.0.0.1:" + listener.getLocalPort(), "bucket", "");
    }

    Bucket bucket() {
        return Bucket.open("test", config());
    }

    /// Heads of the requests so far, in lower case.
    List<String> requests() {
        return requests;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }

    private static UnaryOperator<String> inTurn(Queue<String> answers) {
        return head -> {
            synchronized (answers) {
                return answers.size() > 1 ? answers.remove() : answers.element();
            }
        };
    }

    private void serve() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                // The listener was closed.
            }
        }
    }

    private void serve(Socket socket) {
        try {
            var in = new BufferedInputStream(socket.getInputStream());
            String head = head(in);
            in.skipNBytes(bodyBytes(head));
            requests.add(head);
            String answer = answers.apply(head);
            if (answer.equals(SILENCE)) {
                return;
            }
            try (socket) {
                send(answer, socket.getOutputStream());
            }
        } catch (IOException e) {
            // The client hung up.
        }
    }

    private static void send(String answer, OutputStream out) throws IOException {
        if (!answer.startsWith(SLOWLY)) {
            out.write(answer.getBytes(UTF_8));
            return;
        }
        byte[] bytes = answer.substring(SLOWLY.length()).getBytes(UTF_8);
        out.write(bytes, 0, bytes.length - 30);
        for (int i = bytes.length - 30; i < bytes.length; i++) {
            LockSupport.parkNanos(100_000_000);
            out.write(bytes[i]);
        }
    }

    private static String head(InputStream in) throws IOException {
        var head = new StringBuilder();
        for (int c = in.read(); c >= 0; c = in.read()) {
            if (c != '\r') {
                head.append((char) c);
            }
            if (head.length() > 1 && head.substring(head.length() - 2).equals("\n\n")) {
                break;
            }
        }
        return head.toString().toLowerCase(Locale.ROOT);
    }

    private static long bodyBytes(String head) {
        var length = LENGTH.matcher(head);
        return length.find() ? Long.parseLong(length.group(1)) : 0;
    }
}

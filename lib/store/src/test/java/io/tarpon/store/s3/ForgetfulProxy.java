package io.tarpon.store.s3;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/// Passes everything on to a server and its answers back, except that the answers to the first completions of an upload
/// get lost: the server did what it was asked, and the client never hears of it.
final class ForgetfulProxy implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int target;
    private final AtomicInteger toForget;

    ForgetfulProxy(int target, int toForget) throws IOException {
        this.target = target;
        this.toForget = new AtomicInteger(toForget);
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    int left() {
        return Math.max(toForget.get(), 0);
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Thread.ofVirtual().start(() -> carry(client));
            }
        } catch (IOException e) {
            // Closed: the test is over.
        }
    }

    private void carry(Socket client) {
        try (client;
                var server = new Socket(InetAddress.getLoopbackAddress(), target)) {
            var forget = new boolean[1];
            Thread.ofVirtual().start(() -> requests(client, server, forget));
            answers(server.getInputStream(), client.getOutputStream(), forget);
        } catch (IOException e) {
            // One of them hung up.
        }
    }

    private void requests(Socket client, Socket server, boolean[] forget) {
        try (server) {
            var bytes = new byte[64 << 10];
            for (int n = client.getInputStream().read(bytes);
                    n >= 0;
                    n = client.getInputStream().read(bytes)) {
                String start = new String(bytes, 0, Math.min(n, 2000), ISO_8859_1);
                if (start.startsWith("POST ")
                        && start.lines().findFirst().orElseThrow().contains("uploadId=")
                        && toForget.getAndDecrement() > 0) {
                    forget[0] = true;
                }
                server.getOutputStream().write(bytes, 0, n);
            }
        } catch (IOException e) {
            // One of them hung up.
        }
    }

    private static void answers(InputStream from, OutputStream to, boolean[] forget) throws IOException {
        var bytes = new byte[64 << 10];
        var forgotten = new StringBuilder();
        for (int n = from.read(bytes); n >= 0; n = from.read(bytes)) {
            if (!forget[0]) {
                to.write(bytes, 0, n);
                continue;
            }
            forgotten.append(new String(bytes, 0, n, ISO_8859_1));
            if (forgotten.indexOf("</CompleteMultipartUploadResult>") >= 0 || forgotten.indexOf("</Error>") >= 0) {
                return;
            }
        }
    }
}

package io.tarpon.servers.link;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/// Answers each four-byte number with that many bytes of a known pattern, on any number of connections.
final class AnsweringServer implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

    AnsweringServer() throws IOException {
        Thread.ofVirtual().start(this::accept);
    }

    static byte byteAt(int index) {
        return (byte) (index * 31 + (index >> 8));
    }

    int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Thread.ofVirtual().start(() -> answer(client));
            }
        } catch (IOException e) {
            // Closed: the test is over.
        }
    }

    private static void answer(Socket client) {
        try (client) {
            DataInputStream in = new DataInputStream(client.getInputStream());
            while (true) {
                byte[] answer = new byte[in.readInt()];
                for (int i = 0; i < answer.length; i++) {
                    answer[i] = byteAt(i);
                }
                client.getOutputStream().write(answer);
            }
        } catch (IOException e) {
            // The client has gone, which is how every conversation here ends.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}

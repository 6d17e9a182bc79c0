package io.tarpon.system;

import io.tarpon.testkit.Certificate;
import io.tarpon.testkit.Jvm;
import io.tarpon.testkit.KafkaProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// Servers that speak TLS only, with a certificate that nobody trusts unless told to: a Kafka broker, and an end of TLS
/// in front of a server that has none.
final class Tls implements AutoCloseable {
    private final Path folder;
    private final Certificate certificate;
    private final ExecutorService relays = Executors.newVirtualThreadPerTaskExecutor();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final AtomicInteger accepted = new AtomicInteger();

    Tls(Path folder) throws IOException, InterruptedException {
        this.folder = Files.createDirectories(folder);
        this.certificate = Certificate.in(folder, "ip:127.0.0.1");
    }

    /// Settings of a service that trusts the certificate: for its HTTP clients, and for Kafka's.
    Map<String, String> trusted() {
        return Map.of(
                "javax.net.ssl.trustStore",
                certificate.trust().toString(),
                "javax.net.ssl.trustStorePassword",
                Certificate.PASSWORD,
                "javax.net.ssl.trustStoreType",
                "PKCS12",
                "kafka.security.protocol",
                "SSL",
                "kafka.ssl.truststore.location",
                certificate.trust().toString(),
                "kafka.ssl.truststore.password",
                Certificate.PASSWORD,
                "kafka.ssl.truststore.type",
                "PKCS12");
    }

    /// How many connections came through the ends of TLS.
    int accepted() {
        return accepted.get();
    }

    /// An address that speaks TLS for a server of this machine that does not.
    String before(URI server) throws IOException, GeneralSecurityException {
        var listening = certificate
                .context()
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        open.add(listening);
        relays.execute(() -> relay(listening, server));
        return "https://127.0.0.1:" + listening.getLocalPort();
    }

    /// Ends when the listener is closed, or the server is gone.
    private void relay(ServerSocket listening, URI server) {
        try {
            while (true) {
                var client = listening.accept();
                var origin = new Socket(server.getHost(), server.getPort());
                accepted.incrementAndGet();
                relays.execute(() -> copy(client, origin));
                relays.execute(() -> copy(origin, client));
            }
        } catch (IOException e) {
            relays.shutdown();
        }
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException e) {
            // One side went away, as clients do when they are done; by the end of this both are closed.
        }
    }

    /// A Kafka broker that speaks nothing but TLS to clients; topics come to be when they are used.
    String broker() throws IOException, InterruptedException {
        int port = KafkaProcess.freePort();
        int controller = KafkaProcess.freePort();
        var store = ".location=" + certificate.keys() + "\n";
        var secrets = ".password=" + Certificate.PASSWORD + "\n";
        var properties = Files.writeString(
                folder.resolve("broker.properties"),
                """
                process.roles=broker,controller
                node.id=1
                controller.quorum.voters=1@127.0.0.1:%2$d
                listeners=SSL://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
                advertised.listeners=SSL://127.0.0.1:%1$d
                controller.listener.names=CONTROLLER
                listener.security.protocol.map=SSL:SSL,CONTROLLER:PLAINTEXT
                inter.broker.listener.name=SSL
                offsets.topic.replication.factor=1
                offsets.topic.num.partitions=1
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                share.coordinator.state.topic.replication.factor=1
                share.coordinator.state.topic.min.isr=1
                group.initial.rebalance.delay.ms=0
                ssl.keystore.type=PKCS12
                ssl.truststore.type=PKCS12
                log.dirs=%3$s
                """.formatted(port, controller, folder.resolve("broker"))
                        + "ssl.keystore" + store + "ssl.keystore" + secrets + "ssl.key" + secrets
                        + "ssl.truststore.location="
                        + certificate.trust() + "\nssl.truststore" + secrets);
        kafka("kafka.tools.StorageTool", "format", "-t", "tarponAQAACAAMABAAFAA", "-c", properties.toString())
                .await()
                .succeeded();
        var broker = kafka("kafka.Kafka", properties.toString());
        open.add(broker::kill);
        Tarpon.await("the broker", () -> {
            if (!broker.isRunning()) {
                throw new AssertionError(broker.printed());
            }
            return accepts(port);
        });
        return "127.0.0.1:" + port;
    }

    private static boolean accepts(int port) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static Program kafka(String main, String... arguments) throws IOException {
        var libraries =
                Path.of(System.getProperty("tarpon.product"), "tools", "local-servers", "kafka", "target", "lib", "*");
        var command = new ArrayList<>(
                List.of(Jvm.program("java"), "-Xmx256m", "-XX:+UseSerialGC", "-cp", libraries.toString(), main));
        command.addAll(List.of(arguments));
        return Program.start(command);
    }

    @Override
    public void close() throws Exception {
        for (var each : open.reversed()) {
            each.close();
        }
        relays.shutdownNow();
    }
}

package io.tarpon.system;

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
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// Servers that speak TLS only, with a certificate that nobody trusts unless told to: a Kafka broker, and an end of TLS
/// in front of a server that has none.
final class Tls implements AutoCloseable {
    private static final String PASSWORD = "for-tests-only";

    private final Path folder;
    private final ExecutorService relays = Executors.newVirtualThreadPerTaskExecutor();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final AtomicInteger accepted = new AtomicInteger();

    Tls(Path folder) throws IOException, InterruptedException {
        this.folder = Files.createDirectories(folder);
        keytool("-genkeypair", "-keystore", keys().toString(), "-dname", "CN=localhost", "-ext", "san=ip:127.0.0.1");
        keytool("-exportcert", "-keystore", keys().toString(), "-file", certificate());
        keytool("-importcert", "-keystore", trust().toString(), "-file", certificate(), "-noprompt");
    }

    private static Path bin(String program) {
        return Path.of(System.getProperty("java.home"), "bin", program);
    }

    private void keytool(String command, String... arguments) throws IOException, InterruptedException {
        var all = new ArrayList<>(List.of(bin("keytool").toString(), command));
        all.addAll(List.of("-alias", "server", "-storepass", PASSWORD, "-storetype", "PKCS12"));
        if (command.equals("-genkeypair")) {
            all.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1"));
        }
        all.addAll(List.of(arguments));
        Program.start(all).await().succeeded();
    }

    private Path keys() {
        return folder.resolve("keys.p12");
    }

    private Path trust() {
        return folder.resolve("trust.p12");
    }

    private String certificate() {
        return folder.resolve("server.cer").toString();
    }

    /// Settings of a service that trusts the certificate: for its HTTP clients, and for Kafka's.
    Map<String, String> trusted() {
        return Map.of(
                "javax.net.ssl.trustStore",
                trust().toString(),
                "javax.net.ssl.trustStorePassword",
                PASSWORD,
                "javax.net.ssl.trustStoreType",
                "PKCS12",
                "kafka.security.protocol",
                "SSL",
                "kafka.ssl.truststore.location",
                trust().toString(),
                "kafka.ssl.truststore.password",
                PASSWORD,
                "kafka.ssl.truststore.type",
                "PKCS12");
    }

    /// How many connections came through the ends of TLS.
    int accepted() {
        return accepted.get();
    }

    /// An address that speaks TLS for a server of this machine that does not.
    String before(URI server) throws IOException, GeneralSecurityException {
        var store = KeyStore.getInstance(keys().toFile(), PASSWORD.toCharArray());
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, PASSWORD.toCharArray());
        var context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        var listening = context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
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
        int port = freePort();
        int controller = freePort();
        var store = ".location=" + keys() + "\n";
        var secrets = ".password=" + PASSWORD + "\n";
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
                        + trust() + "\nssl.truststore" + secrets);
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
                List.of(bin("java").toString(), "-Xmx256m", "-XX:+UseSerialGC", "-cp", libraries.toString(), main));
        command.addAll(List.of(arguments));
        return Program.start(command);
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() throws Exception {
        for (var each : open.reversed()) {
            each.close();
        }
        relays.shutdownNow();
    }
}

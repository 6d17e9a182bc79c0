package io.tarpon.servers.kafka;

import io.tarpon.servers.Arguments;
import io.tarpon.servers.Launch;
import io.tarpon.servers.LocalServer;
import io.tarpon.servers.StartException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/// A Kafka broker and its controller in one process. Records and topics outlive a restart on the same directory.
///
/// Owned by the thread that started it; closed once, by the shutdown hook. The lock on the directory is its
/// own: Kafka takes its lock only after the controller has written to the metadata log, so a second broker
/// would damage the first one's.
public final class KafkaBroker implements LocalServer {
    /// Constant, because a directory formatted for one cluster cannot be opened as another.
    private static final String CLUSTER_ID = "tarponAAQACAAMABAAFAA";

    private static final String LOCK_FILE = "tarpon.lock";

    private final KafkaRaftServer server;
    private final FileChannel lock;
    private final int port;

    private KafkaBroker(KafkaRaftServer server, FileChannel lock, int port) {
        this.server = server;
        this.lock = lock;
        this.port = port;
    }

    public static void main(String[] args) {
        Launch.run("kafka", BrokerSettings.ARGUMENTS, (arguments, out) -> start(arguments), args);
    }

    private static KafkaBroker start(Arguments arguments) throws Exception {
        BrokerSettings settings = BrokerSettings.from(arguments);
        FileChannel lock = lock(settings.dataDir());
        format(settings.dataDir().toString());
        KafkaRaftServer server =
                new KafkaRaftServer(new KafkaConfig(BrokerProperties.of(settings), false), Time.SYSTEM);
        server.startup();
        Topics.create(settings.advertise() + ":" + settings.port(), settings.topics());
        return new KafkaBroker(server, lock, settings.port());
    }

    private static FileChannel lock(Path dataDir) throws StartException {
        try {
            Files.createDirectories(dataDir);
            FileChannel channel =
                    FileChannel.open(dataDir.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (channel.tryLock() != null) {
                return channel;
            }
            channel.close();
        } catch (IOException e) {
            throw new StartException("--data-dir " + dataDir + " cannot be written: " + e, e);
        }
        throw new StartException("--data-dir " + dataDir + " is in use by another broker: stop it or give another");
    }

    /// Does nothing on a directory that is formatted.
    private static void format(String dataDir) throws Exception {
        new Formatter()
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .setNodeId(BrokerProperties.NODE_ID)
                .setClusterId(CLUSTER_ID)
                .setIgnoreFormatted(true)
                .setControllerListenerName(BrokerProperties.CONTROLLER)
                .setMetadataLogDirectory(dataDir)
                .addDirectory(dataDir)
                .run();
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void close() throws IOException {
        server.shutdown();
        server.awaitShutdown();
        lock.close();
    }
}

package io.tarpon.servers.kafka;

import io.tarpon.servers.Arguments;
import io.tarpon.servers.Ports;
import io.tarpon.servers.StartException;
import io.tarpon.servers.UsageException;
import java.nio.file.Path;
import java.util.List;

/// What a broker is started with.
///
/// @param advertise the host clients are told to connect to
/// @param saslPort where clients log in by SCRAM-SHA-512; 0 for nowhere
/// @param retentionBytes upper bound of a partition's log; one more segment may be there for a while
/// @param segmentBytes a log is deleted in whole segments, so a small one keeps the bound honest
record BrokerSettings(
        String bind,
        String advertise,
        int port,
        int controllerPort,
        int saslPort,
        Path dataDir,
        long retentionBytes,
        long retentionHours,
        int segmentBytes,
        List<TopicSpec> topics) {

    static final List<String> ARGUMENTS = List.of(
            "--bind",
            "--advertise",
            "--port",
            "--controller-port",
            "--sasl-port",
            "--data-dir",
            "--retention-bytes",
            "--retention-hours",
            "--segment-bytes",
            "--topic");

    private static final long MIB = 1 << 20;

    static BrokerSettings from(Arguments arguments) throws UsageException, StartException {
        String bind = arguments.text("--bind", "127.0.0.1");
        String advertise = arguments.text("--advertise", bind);
        if (List.of("0.0.0.0", "::").contains(advertise)) {
            throw new UsageException("--bind " + bind + " needs --advertise HOST, the name clients connect to");
        }
        Path dataDir = arguments.directory("--data-dir");
        long retentionBytes = arguments.number("--retention-bytes", 256 * MIB, MIB, Long.MAX_VALUE);
        long retentionHours = arguments.number("--retention-hours", 7 * 24, 1, 24 * 365 * 100L);
        int segmentBytes = (int) arguments.number("--segment-bytes", 16 * MIB, MIB, 1024 * MIB);
        List<TopicSpec> topics = TopicSpec.parse(arguments.all("--topic"));
        int givenPort = arguments.port("--port");
        int givenControllerPort = arguments.port("--controller-port");
        if (givenPort != 0 && givenPort == givenControllerPort) {
            throw new UsageException("--port and --controller-port must differ");
        }
        int saslPort = arguments.port("--sasl-port");
        if (saslPort != 0 && (saslPort == givenPort || saslPort == givenControllerPort)) {
            throw new UsageException("--sasl-port must differ from --port and --controller-port");
        }
        int port = Ports.claim(bind, givenPort);
        return new BrokerSettings(
                bind,
                advertise,
                port,
                controllerPort(givenControllerPort, port),
                saslPort == 0 ? 0 : Ports.claim(bind, saslPort),
                dataDir,
                retentionBytes,
                retentionHours,
                segmentBytes,
                topics);
    }

    private static int controllerPort(int given, int port) throws StartException {
        int claimed = Ports.claim(BrokerProperties.CONTROLLER_HOST, given);
        // Two draws of a free port may meet.
        return claimed == port ? controllerPort(given, port) : claimed;
    }
}

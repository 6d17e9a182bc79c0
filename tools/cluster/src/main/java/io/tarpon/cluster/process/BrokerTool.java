package io.tarpon.cluster.process;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.plan.ClusterPaths;
import io.tarpon.cluster.plan.ClusterPlan;
import io.tarpon.cluster.plan.Programs;
import io.tarpon.cluster.plan.Roster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// The programs beside the broker, which have a Kafka client where the command line has none: each ends by itself, and
/// what it prints is the answer.
public final class BrokerTool {
    private static final String DUMP = "io.tarpon.servers.kafka.TopicDump";
    private static final String PRODUCE = "io.tarpon.servers.kafka.ProduceTimes";
    private static final List<String> SHORT_LIVED =
            List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED");
    private static final List<String> MEASURED =
            List.of("-Xmx96m", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED");
    private static final int PATIENCE_SECONDS = 60;

    private final ClusterPaths paths;
    private final String broker;

    public BrokerTool(ClusterPaths paths, Roster roster) {
        var member = roster.member(ClusterPlan.BROKER);
        this.paths = paths;
        this.broker = member.host() + ":" + member.port();
    }

    /// What is made of a program's lines while it prints them.
    public interface Reading<T> {
        T of(Stream<String> lines) throws IOException;
    }

    /// What a topic holds, one JSON document a record, in no more memory than is made of it.
    public <T> T dump(String topic, Reading<T> reading) {
        var patience = Integer.toString(PATIENCE_SECONDS);
        return run(
                SHORT_LIVED,
                DUMP,
                List.of("--topic", topic, "--patience-seconds", patience),
                "the topic " + topic + " cannot be read",
                reading);
    }

    /// Nanoseconds from the sending of each record to its acknowledgement, one after the other, on a topic of its own.
    public List<Long> produceTimes(String topic, int records, int bytes) {
        return run(
                MEASURED,
                PRODUCE,
                List.of("--topic", topic, "--records", "" + records, "--bytes", "" + bytes),
                "the broker does not acknowledge what is written to " + topic,
                lines -> lines.map(Long::valueOf).toList());
    }

    private <T> T run(List<String> options, String program, List<String> words, String failure, Reading<T> reading) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(Programs.classPath(paths, ClusterPlan.BROKER, program));
        command.addAll(List.of("--broker", broker));
        command.addAll(words);
        try {
            var process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try {
                var made = reading.of(process.inputReader().lines());
                if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                    throw CommandFailure.failed(failure, "look at: ./tarpon logs kafka");
                }
                return made;
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException | UncheckedIOException e) {
            throw CommandFailure.failed(failure + ": " + e.getMessage(), "");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandFailure.failed("interrupted", "");
        }
    }
}

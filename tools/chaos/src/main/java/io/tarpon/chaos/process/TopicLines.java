package io.tarpon.chaos.process;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.plan.ClusterPaths;
import io.tarpon.cluster.plan.ClusterPlan;
import io.tarpon.cluster.plan.Member;
import io.tarpon.cluster.plan.Programs;
import io.tarpon.cluster.plan.Roster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// What a topic holds, asked of a program beside the broker.
public final class TopicLines {
    private static final String MAIN = "io.tarpon.servers.kafka.TopicDump";
    private static final int PATIENCE_SECONDS = 60;

    private TopicLines() {}

    /// One JSON document a record.
    public static List<String> of(ClusterPaths paths, Roster roster, String topic) {
        var command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx96m"));
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(Programs.classPath(paths, ClusterPlan.BROKER, MAIN));
        command.addAll(List.of("--broker", address(roster.member(ClusterPlan.BROKER)), "--topic", topic));
        command.addAll(List.of("--patience-seconds", Integer.toString(PATIENCE_SECONDS)));
        try {
            var process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try {
                var lines = process.inputReader().readAllLines();
                if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                    throw CommandFailure.failed(
                            "the topic " + topic + " cannot be read", "look at: ./tarpon logs kafka");
                }
                return lines;
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw CommandFailure.failed("cannot read " + topic + ": " + e.getMessage(), "");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandFailure.failed("interrupted", "");
        }
    }

    private static String address(Member broker) {
        return broker.host() + ":" + broker.port();
    }
}

package io.tarpon.metadata.log;

import io.tarpon.metadata.entry.LogUnavailableException;
import io.tarpon.metadata.entry.MetadataLog;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InterruptException;

/// Whether the topic of a log takes entries. A log that moves away leaves a shut topic behind: brokers take no record
/// longer than one byte for it, which is less than any entry. So a replica that stood still meanwhile, and goes on, is
/// answered nothing any more, and one that starts refuses the topic and says why. What it holds can still be read.
///
/// While a topic is being filled brokers take entries, by a limit that replicas know too: none of them begins with half
/// a log. (But where a log has entries from before they had a bound, which need a higher one.)
///
/// Crash points: it is a setting of the topic, and lasts until it is opened.
public final class TopicGate {
    static final String WHY_SHUT =
            "it takes no entries of replicas, because its log was moved away, or a move was broken off:"
                    + " finish it with 'move local', or go back with 'move kafka', on the folder that moved";
    private static final int SHUT_BYTES = 1;
    /// Less than replicas ask for, and enough for every entry.
    private static final int FILLING_BYTES = KafkaTopic.MAX_RECORD_BYTES - 1;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final KafkaSettings settings;
    private final ConfigResource topic;

    public TopicGate(KafkaSettings settings) {
        this.settings = settings;
        this.topic = new ConfigResource(ConfigResource.Type.TOPIC, settings.topic());
    }

    static boolean isShut(Config configuration) {
        var limit = limit(configuration);
        return limit == SHUT_BYTES || limit == FILLING_BYTES;
    }

    private static int limit(Config configuration) {
        return Integer.parseInt(
                configuration.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG).value());
    }

    /// Whether no replica takes it for a log: it takes no entries, or is being filled.
    ///
    /// @throws LogUnavailableException that cannot be told now
    public boolean isShut() throws IOException {
        return answer("tell its settings", admin -> isShut(configuration(admin)));
    }

    /// Afterwards the topic takes entries as long as that one, and as every other log does.
    ///
    /// @param longestBytes of the longest entry that it is to take
    /// @throws LogUnavailableException it takes them or not
    public void open(int longestBytes) throws IOException {
        var limit = Math.max(KafkaTopic.MAX_RECORD_BYTES, longestBytes + KafkaTopic.BATCH_OVERHEAD_BYTES);
        var _ = answer("be opened", admin -> {
            if (limit(configuration(admin)) < limit) {
                limit(admin, limit);
            }
            return true;
        });
    }

    /// Afterwards the topic takes entries as long as that one, and no replica takes it for a log yet.
    ///
    /// @param longestBytes of the longest entry that it is to take
    /// @throws LogUnavailableException it takes them or not
    public void openToFill(int longestBytes) throws IOException {
        if (longestBytes > MetadataLog.MAX_ENTRY_BYTES) {
            open(longestBytes);
            return;
        }
        var _ = answer("be opened", admin -> {
            limit(admin, FILLING_BYTES);
            return true;
        });
    }

    /// Afterwards the topic takes nothing any more, as soon as all brokers know of it, which takes moments.
    ///
    /// @throws LogUnavailableException it is shut or not
    public void shut() throws IOException {
        var _ = answer("be shut", admin -> {
            limit(admin, SHUT_BYTES);
            return true;
        });
    }

    private Config configuration(Admin admin) throws InterruptedException, ExecutionException, TimeoutException {
        return Objects.requireNonNull(
                wait(admin.describeConfigs(List.of(topic)).all()).get(topic), "an answer has what was asked for");
    }

    private void limit(Admin admin, int bytes) throws InterruptedException, ExecutionException, TimeoutException {
        var entry = new ConfigEntry(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(bytes));
        wait(admin.incrementalAlterConfigs(Map.of(topic, List.of(new AlterConfigOp(entry, AlterConfigOp.OpType.SET))))
                .all());
    }

    private interface Question {
        boolean answer(Admin admin) throws InterruptedException, ExecutionException, TimeoutException;
    }

    private boolean answer(String what, Question question) throws IOException {
        try (var admin = KafkaClients.admin(settings, PATIENCE)) {
            return question.answer(admin);
        } catch (InterruptedException | InterruptException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while topic " + settings.topic() + " was to " + what);
        } catch (TimeoutException | ExecutionException | KafkaException e) {
            throw new LogUnavailableException(
                    "topic " + settings.topic() + " at " + settings.brokers() + " cannot " + what + ": " + e, e);
        }
    }

    private static <T> T wait(KafkaFuture<T> asked) throws InterruptedException, ExecutionException, TimeoutException {
        return asked.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }
}

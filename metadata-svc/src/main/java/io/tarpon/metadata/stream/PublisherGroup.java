package io.tarpon.metadata.stream;

import io.tarpon.metadata.entry.LogUnavailableException;
import io.tarpon.metadata.entry.PublishedMark;
import io.tarpon.service.stream.Brokers;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.InterruptException;

/// The group of [GroupDuty] as who is no member sees it: how many replicas of a log run, and the mark. The mark can be
/// set while none does.
public final class PublisherGroup implements PublishedMark {
    private final Brokers brokers;
    private final TopicPartition log;
    private final String group;

    /// @param logTopic the topic of the metadata log
    public PublisherGroup(Brokers brokers, String logTopic) {
        this.brokers = brokers;
        this.log = new TopicPartition(logTopic, 0);
        this.group = groupOf(logTopic);
    }

    static String groupOf(String logTopic) {
        return logTopic + ".publisher";
    }

    /// How many replicas run, or ran within the last [GroupDuty#SESSION].
    public int members() throws IOException {
        return ask(admin -> {
            try {
                return admin.describeConsumerGroups(List.of(group)).all().get().values().stream()
                        .mapToInt(found -> found.members().size())
                        .sum();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof GroupIdNotFoundException) {
                    return 0;
                }
                throw e;
            }
        });
    }

    @Override
    public long publishedUpTo() throws IOException {
        return ask(admin -> {
            var committed = admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata(group)
                    .get()
                    .get(log);
            return committed == null ? 0L : committed.offset();
        });
    }

    @Override
    public void publishedUpTo(long revision) throws IOException {
        var _ = ask(admin -> {
            admin.alterConsumerGroupOffsets(group, Map.of(log, new OffsetAndMetadata(revision)))
                    .all()
                    .get();
            return revision;
        });
    }

    private interface Question<T> {
        T answer(Admin admin) throws ExecutionException, InterruptedException;
    }

    private <T> T ask(Question<T> question) throws IOException {
        try (var admin = Clients.admin(brokers)) {
            return question.answer(admin);
        } catch (InterruptedException | InterruptException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while group " + group + " was asked for");
        } catch (ExecutionException | KafkaException e) {
            throw new LogUnavailableException("group " + group + " at " + brokers + " does not answer: " + e, e);
        }
    }
}

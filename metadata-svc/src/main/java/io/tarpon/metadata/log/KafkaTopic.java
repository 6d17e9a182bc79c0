package io.tarpon.metadata.log;

import io.tarpon.metadata.entry.FollowedTopic;
import io.tarpon.metadata.entry.LogUnavailableException;
import io.tarpon.metadata.entry.MetadataLog;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// The topic of a [KafkaLog]: whether it is there, whether it takes entries, whether it still is the one that was
/// replayed, and where it ends.
///
/// One thread looks every second. A topic is made only by who may and never followed one: one that is gone is waited
/// for,
/// since a new one under its name would be empty, and to serve that would be to serve a loss as if nothing had
/// been. A topic that is not the one that was followed, or that may lose entries by its settings, is a failure for
/// good.
///
/// Crash points: between making the topic and remembering it, it is found at the next start, and remembered then.
final class KafkaTopic implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(KafkaTopic.class);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final Duration LOOK_EVERY_IN_TROUBLE = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    /// What surrounds an entry that is a batch of its own.
    static final int BATCH_OVERHEAD_BYTES = 4096;

    static final int MAX_RECORD_BYTES = MetadataLog.MAX_ENTRY_BYTES + BATCH_OVERHEAD_BYTES;

    /// A record must fit into a segment of the topic's files.
    private static final int SEGMENT_BYTES = 128 << 20;

    /// Without which a topic may lose an entry that was acknowledged.
    private static final Map<String, String> KEEPS_EVERYTHING = Map.of(
            TopicConfig.CLEANUP_POLICY_CONFIG,
            TopicConfig.CLEANUP_POLICY_DELETE,
            TopicConfig.RETENTION_MS_CONFIG,
            "-1",
            TopicConfig.RETENTION_BYTES_CONFIG,
            "-1",
            TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG,
            "false");

    private final KafkaSettings settings;
    private final FollowedTopic followed;
    private final boolean mayBeShut;
    private final TopicPartition partition;
    private final ConfigResource resource;
    private final Thread thread;
    /// Guards what follows it, and tells who waits for the first look that found the topic.
    private final Object lock = new Object();

    private @Nullable CompletableFuture<Long> asking;
    private @Nullable CompletableFuture<Long> askedNext;
    private @Nullable Admin admin;
    private @Nullable IOException failure;
    private boolean reached;
    /// At the last look; what is asked of one that does not is waited for in vain.
    private boolean answers;

    private String away;

    /// Owned by the thread.
    private Optional<String> id = Optional.empty();

    private int leastInSync;

    /// @param mayBeShut whether it is only read, so that one that takes no entries will do ([TopicGate])
    KafkaTopic(KafkaSettings settings, FollowedTopic followed, boolean mayBeShut) throws IOException {
        this.settings = settings;
        this.followed = followed;
        this.mayBeShut = mayBeShut;
        this.partition = new TopicPartition(settings.topic(), 0);
        this.resource = new ConfigResource(ConfigResource.Type.TOPIC, settings.topic());
        this.away = "it was not reached yet";
        this.id = followed.id();
        this.thread = Thread.ofPlatform().daemon().name("metadata-log-watch").start(this::run);
    }

    /// Whether what stands for removed entries is read as it is, by a move that was broken off before it removed it.
    boolean showsFillers() {
        return mayBeShut;
    }

    TopicPartition partition() {
        return partition;
    }

    String name() {
        return "topic " + settings.topic() + " at " + settings.brokers();
    }

    boolean isWhole() {
        synchronized (lock) {
            return failure == null;
        }
    }

    /// Throws where the log can never be used again by this process.
    void requireWhole() throws IOException {
        synchronized (lock) {
            if (failure != null) {
                throw new IOException(failure.getMessage(), failure);
            }
        }
    }

    /// Throws where it is known that no entry can be appended now.
    void requireThere() throws IOException {
        synchronized (lock) {
            requireWhole();
            if (!away.isEmpty()) {
                throw notNow(away);
            }
        }
    }

    LogUnavailableException notNow(String reason) {
        return new LogUnavailableException(name() + ": " + reason);
    }

    /// The topic is not what it was: from here on nothing is read and nothing appended.
    IOException fail(IOException reason) {
        if (end(reason)) {
            LOG.errorf("metadata log cannot be used log=%s reason=%s", name(), reason.getMessage());
        }
        return reason;
    }

    /// Returns whether it is the first reason.
    private boolean end(IOException reason) {
        synchronized (lock) {
            if (failure != null) {
                return false;
            }
            failure = reason;
            lock.notifyAll();
            return true;
        }
    }

    /// Returns once the topic was found, and is the one that was followed.
    ///
    /// @throws LogUnavailableException it was not after `patience`
    void awaitReached(Duration patience) throws IOException, InterruptedException {
        var until = System.nanoTime() + patience.toNanos();
        synchronized (lock) {
            for (var left = patience.toMillis();
                    !reached && failure == null && left > 0;
                    left = (until - System.nanoTime()) / 1_000_000) {
                lock.wait(left);
            }
            requireWhole();
            if (!reached) {
                throw notNow(away);
            }
        }
    }

    /// Number of records as of now: whatever was acknowledged before this was called is among them. Those who ask
    /// while an answer is on its way share the next one.
    long end() throws IOException {
        try {
            return ask().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the end of " + name() + " was asked for");
        } catch (TimeoutException e) {
            throw new LogUnavailableException(name() + " does not tell its end", e);
        } catch (ExecutionException e) {
            throw new LogUnavailableException(name() + " does not tell its end: " + e.getCause(), e);
        }
    }

    /// Number of records that were removed from the beginning.
    long begin() throws IOException {
        return answer(
                "tell its beginning",
                there().listOffsets(Map.of(partition, OffsetSpec.earliest())).partitionResult(partition),
                ListOffsetsResultInfo::offset);
    }

    /// Removes records before this offset. A broker that dies may have some of them again.
    void trim(long offset) throws IOException {
        var _ = answer(
                "remove records",
                there().deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(offset)))
                        .all(),
                _ -> offset);
    }

    private Admin there() throws IOException {
        synchronized (lock) {
            requireWhole();
            if (!reached || !answers || admin == null) {
                throw notNow(away);
            }
            return admin;
        }
    }

    private <T> long answer(String what, KafkaFuture<T> asked, ToLongFunction<T> number) throws IOException {
        try {
            return number.applyAsLong(answer(asked));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while " + name() + " was to " + what);
        } catch (TimeoutException | ExecutionException e) {
            throw new LogUnavailableException(name() + " does not " + what + ": " + e, e);
        }
    }

    private CompletableFuture<Long> ask() throws IOException {
        synchronized (lock) {
            var admin = there();
            if (asking == null) {
                var mine = new CompletableFuture<Long>();
                asking = mine;
                send(admin, mine);
                return mine;
            }
            if (askedNext == null) {
                askedNext = new CompletableFuture<>();
            }
            return askedNext;
        }
    }

    private void send(Admin asked, CompletableFuture<Long> answer) {
        try {
            asked.listOffsets(Map.of(partition, OffsetSpec.latest()))
                    .partitionResult(partition)
                    .toCompletionStage()
                    .whenComplete((end, problem) -> {
                        sendNext(asked);
                        if (problem != null) {
                            answer.completeExceptionally(problem);
                        } else {
                            answer.complete(end.offset());
                        }
                    });
        } catch (RuntimeException e) {
            // Closed: nobody is answered any more.
            answer.completeExceptionally(e);
        }
    }

    private void sendNext(Admin asked) {
        synchronized (lock) {
            asking = askedNext;
            askedNext = null;
            if (asking != null) {
                send(asked, asking);
            }
        }
    }

    private void run() {
        try {
            while (isWhole()) {
                var trouble = look();
                synchronized (lock) {
                    away = trouble;
                }
                Thread.sleep(trouble.isEmpty() ? LOOK_EVERY : LOOK_EVERY_IN_TROUBLE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            fail(e);
        } catch (RuntimeException | Error e) {
            fail(new IOException("the watch over " + name() + " ended: " + e, e));
        }
    }

    /// Why no entry can be appended now; empty where one can.
    private String look() throws IOException, InterruptedException {
        try {
            return look(admin());
        } catch (ExecutionException e) {
            return noAnswer(String.valueOf(e.getCause()));
        } catch (TimeoutException e) {
            return noAnswer("no answer after " + PATIENCE.toSeconds() + " s");
        } catch (KafkaException e) {
            // Such as: nobody knows the name of a broker yet.
            return noAnswer(e.toString());
        }
    }

    private String noAnswer(String reason) {
        synchronized (lock) {
            answers = false;
        }
        return reason;
    }

    /// By the thread alone; names are resolved without the lock.
    private Admin admin() {
        Admin open;
        synchronized (lock) {
            open = admin;
        }
        if (open == null) {
            open = KafkaClients.admin(settings, PATIENCE);
            synchronized (lock) {
                admin = open;
            }
        }
        return open;
    }

    private String look(Admin asked) throws IOException, InterruptedException, ExecutionException, TimeoutException {
        var found = describe(asked);
        if (found.isEmpty()) {
            if (id.isPresent()) {
                return noAnswer("it is not there any more, and not made again, because it would be empty");
            }
            return settings.isMade()
                    ? make(asked)
                    : noAnswer("it is not there, and not made here, because tarpon.topics.create is false");
        }
        var description = found.get();
        var foundId = description.topicId().toString();
        if (id.isPresent() && !id.get().equals(foundId)) {
            throw new IOException(name() + " has the id " + foundId + ", and what was replayed here was of the id "
                    + id.get() + ": it was deleted and made again, or is of another cluster; bring the old one back,"
                    + " or begin anew with an empty tarpon.metadata.dir");
        }
        if (leastInSync == 0) {
            leastInSync = check(description, configuration(asked));
        }
        if (id.isEmpty()) {
            followed.follow(foundId);
            id = Optional.of(foundId);
            LOG.infof("metadata log found log=%s id=%s", name(), foundId);
        }
        var trouble = takesNothing(description);
        synchronized (lock) {
            reached = true;
            answers = true;
            away = trouble;
            lock.notifyAll();
        }
        return trouble;
    }

    private String takesNothing(TopicDescription description) {
        var only = description.partitions().getFirst();
        if (only.leader() == null) {
            return "its partition has no leader";
        }
        var inSync = only.isr().size();
        return inSync < leastInSync ? inSync + " brokers are in sync, " + leastInSync + " must be" : "";
    }

    private Optional<TopicDescription> describe(Admin asked)
            throws InterruptedException, ExecutionException, TimeoutException {
        try {
            var found = answer(asked.describeTopics(List.of(settings.topic())).allTopicNames());
            return Optional.ofNullable(found.get(settings.topic()));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /// Another replica may make it at the same time.
    private String make(Admin asked) throws InterruptedException, ExecutionException, TimeoutException {
        var configuration = new HashMap<>(KEEPS_EVERYTHING);
        configuration.put(
                TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG,
                Integer.toString(KafkaSettings.leastInSync(settings.replicas())));
        configuration.put(TopicConfig.SEGMENT_BYTES_CONFIG, Integer.toString(SEGMENT_BYTES));
        configuration.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(MAX_RECORD_BYTES));
        var topic = new NewTopic(settings.topic(), 1, (short) settings.replicas()).configs(configuration);
        try {
            answer(asked.createTopics(List.of(topic)).all());
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw e;
            }
        }
        return "it is being made";
    }

    private Config configuration(Admin asked) throws InterruptedException, ExecutionException, TimeoutException {
        var found = answer(asked.describeConfigs(List.of(resource)).all());
        return Objects.requireNonNull(found.get(resource), "an answer has what was asked for");
    }

    /// Returns how many brokers must be in sync. Throws where the topic may lose an entry that was acknowledged, or
    /// cannot take every entry.
    private int check(TopicDescription description, Config configuration) throws IOException {
        var wrong = new ArrayList<String>();
        if (description.partitions().size() != 1) {
            wrong.add("it has " + description.partitions().size() + " partitions, and must have 1");
        }
        for (var wanted : KEEPS_EVERYTHING.entrySet()) {
            var value = configuration.get(wanted.getKey()).value();
            if (!wanted.getValue().equals(value)) {
                wrong.add(wanted.getKey() + " is " + value + ", and must be " + wanted.getValue());
            }
        }
        var isShut = TopicGate.isShut(configuration);
        if (isShut && !mayBeShut) {
            wrong.add(TopicGate.WHY_SHUT);
        }
        for (var key : List.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, TopicConfig.SEGMENT_BYTES_CONFIG)) {
            var longest = Integer.parseInt(configuration.get(key).value());
            if (longest < MAX_RECORD_BYTES && !(isShut && key.equals(TopicConfig.MAX_MESSAGE_BYTES_CONFIG))) {
                wrong.add(key + " is " + longest + ", and must be at least " + MAX_RECORD_BYTES);
            }
        }
        var least = Integer.parseInt(
                configuration.get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG).value());
        var copies = description.partitions().getFirst().replicas().size();
        if (least < KafkaSettings.leastInSync(copies)) {
            wrong.add(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG + " is " + least + " of " + copies
                    + ", and must be at least " + KafkaSettings.leastInSync(copies));
        }
        if (!wrong.isEmpty()) {
            throw new IOException(name() + " cannot be a metadata log: " + String.join("; ", wrong));
        }
        return least;
    }

    private static <T> T answer(KafkaFuture<T> asked)
            throws InterruptedException, ExecutionException, TimeoutException {
        return asked.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        end(new IOException(name() + " is closed"));
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Admin open;
        synchronized (lock) {
            open = admin;
        }
        // Not under the lock, which its thread may need to end.
        if (open != null) {
            open.close(Duration.ZERO);
        }
    }
}

package io.tarpon.metadata.job;

import io.tarpon.metadata.disk.StateFolder;
import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.RandomHistory;
import io.tarpon.metadata.log.Entries;
import io.tarpon.metadata.log.KafkaLog;
import io.tarpon.metadata.log.KafkaSettings;
import io.tarpon.metadata.log.LocalLog;
import io.tarpon.metadata.replica.Audience;
import io.tarpon.metadata.replica.EventTail;
import io.tarpon.metadata.replica.ReplayThread;
import io.tarpon.metadata.replica.Replica;
import io.tarpon.metadata.snapshot.Snapshots;
import io.tarpon.metadata.view.RocksView;
import io.tarpon.service.stream.Brokers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// A state folder and a topic that a test moves a log between, and what a service would find in either.
final class Places {
    static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int SEED = 5;
    private static final int COMMANDS = 400;

    private final Path folder;
    private final KafkaSettings topic;

    Places(Path folder, String brokers) {
        this.folder = folder;
        this.topic = new KafkaSettings(
                Brokers.at(brokers), "tarpon.metadata." + UUID.randomUUID(), true, 1, 8 << 20, Duration.ofSeconds(20));
    }

    Path folder() {
        return folder;
    }

    KafkaSettings topic() {
        return topic;
    }

    LogPlaces between() {
        return new LogPlaces(folder, topic);
    }

    /// Entries of every kind.
    static List<byte[]> entries() {
        return RandomHistory.of(SEED, COMMANDS).stream()
                .map(EntryFormat::encode)
                .toList();
    }

    static List<byte[]> entries(int count) {
        return java.util.stream.IntStream.rangeClosed(1, count)
                .mapToObj(number -> ("entry " + number).getBytes(StandardCharsets.US_ASCII))
                .toList();
    }

    Moved toKafka(Witness witness) throws IOException, InterruptedException {
        return new MoveToKafka(between(), witness).run();
    }

    Moved toKafka() throws IOException, InterruptedException {
        return toKafka(new Patient());
    }

    Moved toLocal(Witness witness) throws IOException, InterruptedException {
        return new MoveToLocal(between(), witness).run();
    }

    Moved toLocal() throws IOException, InterruptedException {
        return toLocal(new Patient());
    }

    /// What one does with an open log.
    interface Use {
        void with(MetadataLog log) throws IOException, InterruptedException;
    }

    /// As the service with a log of its own does.
    void locally(Use use) throws IOException, InterruptedException {
        try (var state = StateFolder.open(folder);
                var log = local(state)) {
            use.with(log);
        }
    }

    /// As a replica does.
    void inKafka(Use use) throws IOException, InterruptedException {
        try (var state = StateFolder.openFollowing(folder);
                var log = KafkaLog.open(topic, state.topic())) {
            log.awaitReached(PATIENCE);
            use.with(log);
        }
    }

    static LocalLog local(StateFolder state) throws IOException {
        return LocalLog.open(state.log(), state.libraries(), 64, 8 << 20, PATIENCE);
    }

    void make(List<byte[]> entries, long published) throws IOException, InterruptedException {
        locally(log -> {
            append(log, entries);
            ((LocalLog) log).publishedUpTo(published);
        });
    }

    static void append(MetadataLog log, List<byte[]> entries) throws IOException {
        for (var entry : entries) {
            log.append(entry);
        }
    }

    static List<byte[]> all(MetadataLog log) throws IOException {
        return Entries.after(log, log.begin(), Integer.MAX_VALUE);
    }

    /// The digest of the view in the folder, once it has caught up with the log, as `GET /v1/digest` would tell.
    String digest(StateFolder state, MetadataLog log) throws IOException, InterruptedException {
        try (var view = RocksView.open(state.view(), state.libraries(), 1 << 20)) {
            var replica =
                    new Replica(log, state.logId(), Snapshots.NONE, new EventTail(64), new Image(view), Audience.NONE);
            try (var replay = new ReplayThread(log, replica)) {
                replay.start();
                if (!replica.awaitRevision(log.end(), PATIENCE)) {
                    throw new IOException("not replayed: " + replica.behind());
                }
                var digest = replica.read(Image::digest);
                return digest.revision() + " " + digest.value();
            } finally {
                replica.end();
            }
        }
    }

    String digestLocally() throws IOException, InterruptedException {
        try (var state = StateFolder.open(folder);
                var log = local(state)) {
            return digest(state, log);
        }
    }

    String digestInKafka() throws IOException, InterruptedException {
        try (var state = StateFolder.openFollowing(folder);
                var log = KafkaLog.open(topic, state.topic())) {
            log.awaitReached(PATIENCE);
            return digest(state, log);
        }
    }

    /// Lets a move go on.
    static class Patient implements Witness {
        @Override
        public void reached(Step step) {
            // Goes on.
        }

        @Override
        public void at(String what, long done, long total) {
            // Goes on.
        }
    }

    /// What ends a move as a kill would: nothing that it does about failures is done.
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;

        Killed(String where) {
            super("killed at " + where);
        }
    }

    /// Kills a move that has come to a step.
    static final class KillsAt extends Patient {
        private final Step step;

        KillsAt(Step step) {
            this.step = step;
        }

        @Override
        public void reached(Step reached) {
            if (reached == step) {
                throw new Killed(step.toString());
            }
        }
    }
}

package io.tarpon.metadata;

import io.tarpon.metadata.disk.StateFolder;
import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.garbage.OpenReads;
import io.tarpon.metadata.image.WindowDigest;
import io.tarpon.metadata.log.KafkaLog;
import io.tarpon.metadata.log.KafkaSettings;
import io.tarpon.metadata.log.LocalLog;
import io.tarpon.metadata.node.Agreement;
import io.tarpon.metadata.node.Liveness;
import io.tarpon.metadata.node.Presence;
import io.tarpon.metadata.node.Replicas;
import io.tarpon.metadata.replica.Peers;
import io.tarpon.metadata.replica.Proposer;
import io.tarpon.metadata.stream.GroupDuty;
import io.tarpon.metadata.stream.PresenceTopic;
import io.tarpon.metadata.stream.PublishingDuty;
import io.tarpon.service.stream.Brokers;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

/// What differs between the only replica, whose log is on its disk, and one of several over a log in Kafka.
///
/// @param duty who publishes what the log tells
/// @param time by which silence is judged
/// @param presence who is told which nodes live and what is being read
/// @param levels when the level of the log may be raised
/// @param peers the other replicas
/// @param agreedUpTo the last entry up to which another replica came to the same; 0 where there is none
record Deployment(
        MetadataLog log,
        PublishingDuty duty,
        Liveness liveness,
        OpenReads openReads,
        LongSupplier time,
        Presence presence,
        Proposer.Levels levels,
        Peers peers,
        LongSupplier agreedUpTo) {
    private static final int LOOKS_IN_A_SILENCE = 10;
    private static final int LOG_ID_BYTES = 16;

    static Deployment alone(MetadataConfig config, StateFolder folder, LongSupplier time) throws IOException {
        var settings = config.metadata();
        var log = LocalLog.open(
                folder.log(),
                folder.libraries(),
                settings.queuedEntries(),
                settings.queuedBytes().asLongValue(),
                settings.appendTimeout());
        return new Deployment(
                log,
                PublishingDuty.alone(log),
                liveness(config, time),
                openReads(config, time),
                time,
                Presence.ALONE,
                levels(_ -> true),
                Peers.NONE,
                () -> 0);
    }

    static Deployment oneOfSeveral(MetadataConfig config, StateFolder folder, Brokers brokers) throws IOException {
        var settings = config.metadata();
        var kafka = settings.kafka();
        var time = new HeardTime(System::nanoTime, lookEvery(config));
        var liveness = liveness(config, time);
        var openReads = openReads(config, time);
        var silence = lookEvery(config).multipliedBy(LOOKS_IN_A_SILENCE);
        var replicas = new Replicas(silence, time.getAsLong());
        var self = UUID.randomUUID().toString();
        var agreement = new Agreement(self, silence);
        return new Deployment(
                KafkaLog.open(
                        new KafkaSettings(
                                brokers,
                                kafka.topic(),
                                config.topics().create(),
                                kafka.replicas(),
                                settings.queuedBytes().asLongValue(),
                                settings.appendTimeout()),
                        folder.topic()),
                new GroupDuty(brokers, kafka.topic()),
                liveness,
                openReads,
                time,
                PresenceTopic.open(
                        new PresenceTopic.Settings(
                                brokers,
                                kafka.presenceTopic(),
                                config.topics().create(),
                                kafka.replicas(),
                                self,
                                EntryFormat.FORMAT,
                                agreement::latest,
                                lookEvery(config)),
                        new Ears(time, liveness, openReads, replicas, agreement)),
                levels(level -> time.isListening() && replicas.allRead(level, time.getAsLong())),
                peers(agreement, time),
                agreement::agreedUpTo);
    }

    private static Peers peers(Agreement agreement, LongSupplier time) {
        return new Peers() {
            @Override
            public void replayed(WindowDigest window) {
                agreement.replayed(window);
            }

            @Override
            public Optional<String> divergence() {
                return agreement.divergence(time.getAsLong());
            }
        };
    }

    private static Proposer.Levels levels(IntPredicate everyReplicaReads) {
        var random = new SecureRandom();
        return new Proposer.Levels(everyReplicaReads, () -> {
            var bits = new byte[LOG_ID_BYTES];
            random.nextBytes(bits);
            return HexFormat.of().formatHex(bits);
        });
    }

    private static Liveness liveness(MetadataConfig config, LongSupplier time) {
        return new Liveness(config.metadata().nodeTimeout(), config.metadata().deafTimeout(), time.getAsLong());
    }

    private static OpenReads openReads(MetadataConfig config, LongSupplier time) {
        return new OpenReads(config.gc().readerTimeout(), config.gc().maxReaders(), time.getAsLong());
    }

    /// A part of the shortest silence that is judged.
    static Duration lookEvery(MetadataConfig config) {
        var node = config.metadata().nodeTimeout();
        var reader = config.gc().readerTimeout();
        return (node.compareTo(reader) < 0 ? node : reader).dividedBy(LOOKS_IN_A_SILENCE);
    }
}

package io.tarpon.metadata;

import io.tarpon.metadata.disk.StateFolder;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.garbage.OpenReads;
import io.tarpon.metadata.log.KafkaLog;
import io.tarpon.metadata.log.KafkaSettings;
import io.tarpon.metadata.log.LocalLog;
import io.tarpon.metadata.node.Liveness;
import io.tarpon.metadata.node.Presence;
import io.tarpon.metadata.stream.GroupDuty;
import io.tarpon.metadata.stream.PresenceTopic;
import io.tarpon.metadata.stream.PublishingDuty;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.function.LongSupplier;

/// What differs between the only replica, whose log is on its disk, and one of several over a log in Kafka.
///
/// @param duty who publishes what the log tells
/// @param time by which silence is judged
/// @param presence who is told which nodes live and what is being read
record Deployment(
        MetadataLog log,
        PublishingDuty duty,
        Liveness liveness,
        OpenReads openReads,
        LongSupplier time,
        Presence presence) {
    private static final int LOOKS_IN_A_SILENCE = 10;

    static Deployment alone(MetadataConfig config, StateFolder folder, LongSupplier time) throws IOException {
        var settings = config.metadata();
        var log = LocalLog.open(
                folder.log(),
                folder.libraries(),
                settings.queuedEntries(),
                settings.queuedBytes().asLongValue(),
                settings.appendTimeout());
        return new Deployment(
                log, PublishingDuty.alone(log), liveness(config, time), openReads(config, time), time, Presence.ALONE);
    }

    static Deployment oneOfSeveral(MetadataConfig config, StateFolder folder, String brokers) throws IOException {
        var settings = config.metadata();
        var kafka = settings.kafka();
        var time = new HeardTime(System::nanoTime, lookEvery(config));
        var liveness = liveness(config, time);
        var openReads = openReads(config, time);
        return new Deployment(
                KafkaLog.open(
                        new KafkaSettings(
                                brokers,
                                kafka.topic(),
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
                                kafka.replicas(),
                                UUID.randomUUID().toString(),
                                lookEvery(config)),
                        new Ears(time, liveness, openReads)));
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

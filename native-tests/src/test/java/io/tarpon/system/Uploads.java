package io.tarpon.system;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.event.DatasetUploaded;
import io.tarpon.wire.event.DatasetUploaded.SpecOverrides;
import io.tarpon.wire.event.Events;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;

/// Events of uploads that are put on Kafka, as an object store or a person's own program would.
final class Uploads {
    private Uploads() {}

    static void put(Tarpon tarpon, String dataset, Path folder, long shardBytes) throws IOException {
        put(tarpon, dataset, folder, shardBytes, "none");
    }

    /// @param codec how the producer compresses
    static void put(Tarpon tarpon, String dataset, Path folder, long shardBytes, String codec) throws IOException {
        Files.writeString(
                tarpon.home().resolve("directory-roots"),
                folder.toRealPath() + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        try (var broker = new Broker(tarpon, codec)) {
            put(broker, dataset, folder, shardBytes);
        }
    }

    /// From a folder that the functions may read already.
    static void put(Broker broker, String dataset, Path folder, long shardBytes) throws IOException {
        var spec = new SpecOverrides(null, shardBytes, null, null, null, null, null);
        var uploaded = new DatasetUploaded("file://" + folder.toRealPath(), new DatasetName(dataset), spec, false);
        var envelope = new Events.Envelope(dataset + "-1", "/test", Instant.now(), Optional.empty());
        broker.send("tarpon.uploads", Optional.of(dataset), Events.encode(envelope, uploaded));
    }
}

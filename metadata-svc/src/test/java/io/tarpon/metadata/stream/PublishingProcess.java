package io.tarpon.metadata.stream;

import io.tarpon.metadata.Running;
import io.tarpon.metadata.disk.StateFolder;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.log.LocalLog;
import io.tarpon.service.stream.Brokers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// A process to be killed: log, replica and publisher as in the service, and work to do. Prints a line after
/// each piece of work, and `published` when all of it is.
public final class PublishingProcess {
    private static final Duration PACE = Duration.ofMillis(10);

    private PublishingProcess() {}

    /// Arguments: state folder, brokers, pieces of work, and `keep` or `lose`: what becomes of the mark at the start.
    public static void main(String[] args) throws Exception {
        var pieces = Integer.parseInt(args[2]);
        try (var folder = StateFolder.open(Path.of(args[0]))) {
            var log = LocalLog.open(
                    folder.log(), folder.libraries(), 1024, MetadataLog.MAX_ENTRY_BYTES, Duration.ofMinutes(1));
            if (args[3].equals("lose")) {
                // As a crash of the machine may do: the mark is not synced.
                log.publishedUpTo(0);
            }
            try (var running = new Running(log, 16, 16);
                    var publisher = new EventPublisher(
                            new PublisherSettings(
                                    Brokers.at(args[1]), EventLog.TOPIC, Duration.ofMillis(100), Duration.ofMillis(50)),
                            running.feed(),
                            PublishingDuty.alone(log))) {
                running.replica().awaitRevision(log.end(), Duration.ofSeconds(60));
                publisher.start();
                for (int piece = 0; piece < pieces; piece++) {
                    var before = log.end();
                    Workload.doPiece(running, piece);
                    if (log.end() > before) {
                        // So that work, publishing and the kill fall together.
                        LockSupport.parkNanos(PACE.toNanos());
                    }
                    System.out.println("mark " + log.publishedUpTo());
                }
                while (log.publishedUpTo() < log.end()) {
                    LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
                }
                System.out.println("published");
            }
        }
    }
}

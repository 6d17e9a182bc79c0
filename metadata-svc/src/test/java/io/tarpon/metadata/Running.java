package io.tarpon.metadata;

import io.tarpon.metadata.entry.FollowedLog;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.Command;
import io.tarpon.metadata.image.CommittedEvent;
import io.tarpon.metadata.image.HeapStore;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.replica.Audience;
import io.tarpon.metadata.replica.EventFeed;
import io.tarpon.metadata.replica.EventTail;
import io.tarpon.metadata.replica.Proposer;
import io.tarpon.metadata.replica.ReadyAnswers;
import io.tarpon.metadata.replica.ReplayThread;
import io.tarpon.metadata.replica.Replica;
import io.tarpon.metadata.snapshot.Snapshots;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;

/// A log with its replica, replay thread and proposer, put together as the service does.
public final class Running implements AutoCloseable {
    private final MetadataLog log;
    private final EventTail tail;
    private final Replica replica;
    private final ReplayThread replay;
    private final Proposer proposer;

    public Running(MetadataLog log, int tailEvents, int attempts) {
        this(log, tailEvents, attempts, InstantSource.system());
    }

    public Running(MetadataLog log, int tailEvents, int attempts, InstantSource clock) {
        this(log, tailEvents, attempts, clock, _ -> {});
    }

    /// With a table of answers to look-ups.
    Running(MetadataLog log, int tailEvents, int attempts, ReadyAnswers answers) {
        this(log, Snapshots.NONE, tailEvents, attempts, InstantSource.system(), Audience.NONE.withAnswers(answers));
    }

    public Running(MetadataLog log, int tailEvents, int attempts, InstantSource clock, Consumer<CommittedEvent> seen) {
        this(log, Snapshots.NONE, tailEvents, attempts, clock, Audience.NONE.withSeen(seen));
    }

    /// One that may start from a snapshot.
    public Running(MetadataLog log, Snapshots snapshots) {
        this(log, snapshots, 16, 4, InstantSource.system(), Audience.NONE);
    }

    private Running(
            MetadataLog log,
            Snapshots snapshots,
            int tailEvents,
            int attempts,
            InstantSource clock,
            Audience audience) {
        this.log = log;
        this.tail = new EventTail(tailEvents);
        this.replica = new Replica(log, FollowedLog.ANY, snapshots, tail, new Image(new HeapStore()), audience);
        this.replay = new ReplayThread(log, replica);
        this.proposer = new Proposer(log, replica, clock, attempts, Duration.ofSeconds(30), Duration.ofSeconds(30));
        replay.start();
    }

    public MetadataLog log() {
        return log;
    }

    public Replica replica() {
        return replica;
    }

    public EventTail tail() {
        return tail;
    }

    public EventFeed feed() {
        return new EventFeed(log, replica, tail);
    }

    public Proposer proposer() {
        return proposer;
    }

    public <A> A run(Command<A> command) throws InterruptedException {
        return proposer.execute(command, null).answer().value();
    }

    @Override
    public void close() throws InterruptedException {
        replay.close();
        log.close();
    }
}

package io.tarpon.metadata;

import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.Command;
import io.tarpon.metadata.image.CommittedEvent;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.replica.EventFeed;
import io.tarpon.metadata.replica.EventTail;
import io.tarpon.metadata.replica.Proposer;
import io.tarpon.metadata.replica.ReplayThread;
import io.tarpon.metadata.replica.Replica;
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

    public Running(MetadataLog log, int tailEvents, int attempts, InstantSource clock, Consumer<CommittedEvent> seen) {
        this.log = log;
        this.tail = new EventTail(tailEvents);
        this.replica = new Replica(log, tail, new Image(), seen, _ -> {});
        this.replay = new ReplayThread(log, replica);
        this.proposer = new Proposer(log, replica, clock, attempts, Duration.ofSeconds(30), Duration.ofSeconds(30));
        replay.start();
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

package io.tarpon.metadata.replica;

import io.tarpon.metadata.entry.FollowedLog;
import io.tarpon.metadata.image.HeapStore;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.log.SimulatedLog;
import io.tarpon.metadata.snapshot.Snapshots;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;

/// One process of a simulation: a replica, which goes on from what the process before it had saved, and its proposer.
final class Site {
    private static final int ATTEMPTS = 4;
    private static final int EVENTS = 1 << 16;

    private final SimulatedLog.Appending appending;
    private final HeapStore store;
    private final EventTail tail = new EventTail(EVENTS);
    private final CaughtUpLog caughtUp;
    private long judged;
    final WatchedLog log;
    final Replica replica;
    final Proposer proposer;
    /// Clients of one process take turns here.
    boolean proposing;

    /// @param store of the image, as the process before left it
    /// @param loaded is told when the image came from a snapshot
    Site(
            SimulatedLog.Appending appending,
            HeapStore store,
            Snapshots snapshots,
            Runnable loaded,
            Plant plant,
            InstantSource clock,
            Proposer.Levels levels) {
        this.store = store;
        this.appending = appending;
        this.log = new WatchedLog(plant.in(appending));
        this.caughtUp = new CaughtUpLog(log, appending::seen);
        Consumer<Image> fromSnapshot = image -> {
            judged = image.revision();
            loaded.run();
        };
        this.replica = new Replica(
                caughtUp, FollowedLog.ANY, snapshots, tail, new Image(store), Audience.NONE.withLoaded(fromSnapshot));
        this.judged = replica.revision();
        this.proposer = new Proposer(caughtUp, replica, clock, ATTEMPTS, Duration.ofDays(1), Duration.ZERO, levels);
        caughtUp.replayedBy(replica);
    }

    /// What is left when the process dies. It may be in the middle of a call here, and go on with what it had.
    HeapStore left() {
        return store.copy();
    }

    /// Some more arrives here, perhaps all.
    void catchUp() throws IOException {
        appending.seeSome();
        caughtUp.catchUp();
    }

    /// Holds what came on since the last time against the judge.
    void judgedBy(Judge judge) {
        judged = judge.check(replica, tail, judged);
    }
}

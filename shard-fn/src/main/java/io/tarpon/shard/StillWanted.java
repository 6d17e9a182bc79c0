package io.tarpon.shard;

import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.event.TarponEvent.ShardPlanned;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.time.Duration;

/// Asks metadata-svc every so often whether a shard that is being read is still wanted: reading goes on for minutes, or
/// for hours where a source is in trouble, and a cancelled version, or one that another process has built meanwhile, is
/// to cost nothing more. While metadata-svc does not answer, the shard counts as wanted.
///
/// One virtual thread of its own, since an answer may take as long as the request may. `over` is written by it alone
/// and never goes back.
final class StillWanted implements AutoCloseable {
    private final ShardPlanned planned;
    private final MetadataClient metadata;
    private final Duration every;
    private final Thread asking;
    private volatile boolean over;

    StillWanted(ShardPlanned planned, MetadataClient metadata, Duration every) {
        this.planned = planned;
        this.metadata = metadata;
        this.every = every;
        this.asking = Thread.ofVirtual().name("still-wanted " + planned.ref()).start(this::ask);
    }

    boolean isOver() {
        return over;
    }

    @Override
    public void close() {
        asking.interrupt();
    }

    private void ask() {
        try {
            do {
                Thread.sleep(every);
            } while (isWanted());
            over = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isWanted() {
        try {
            return Standing.of(planned, metadata) instanceof Standing.Wanted;
        } catch (DeadShardException e) {
            return false;
        } catch (IOException | TarponException e) {
            return true;
        }
    }
}

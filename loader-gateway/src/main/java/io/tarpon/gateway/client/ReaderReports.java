package io.tarpon.gateway.client;

import io.tarpon.gateway.catalog.OpenReads;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.metadata.ReaderReport;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import org.jboss.logging.Logger;

/// Tells metadata-svc again and again which versions have open reads, so that nothing of a removed one is deleted under
/// them; once more, empty, after the last read. A report that does not arrive is made good by the next.
///
/// Threads: the outbox delivers, one report at a time.
public final class ReaderReports implements Outbox.Mail {
    private static final Logger LOG = Logger.getLogger(ReaderReports.class);

    private final Outbox outbox;
    private final MetadataClient metadata;
    private final OpenReads reads;
    private final Duration every;
    private final String reader = "gateway-" + UUID.randomUUID();
    private volatile boolean saidSome;
    private volatile boolean arriving = true;

    /// @param metadata with the write token
    public ReaderReports(Outbox outbox, MetadataClient metadata, OpenReads reads, Duration every) {
        this.outbox = outbox;
        this.metadata = metadata;
        this.reads = reads;
        this.every = every;
    }

    /// Goes on until the outbox is closed.
    public void start() {
        outbox.repeat(every, () -> outbox.deliver(this));
    }

    /// What is open now, which no second letter could add to.
    @Override
    public boolean deliverOne(Outbox by) throws IOException {
        var versions = reads.versions(ReaderReport.MAX_VERSIONS);
        if (!versions.isEmpty() || saidSome) {
            // Also where it fails: it may have arrived.
            saidSome = true;
            metadata.reading(reader, new ReaderReport(versions));
            saidSome = !versions.isEmpty();
            arriving = true;
        }
        return false;
    }

    @Override
    public void drop(Exception why) {
        if (arriving) {
            LOG.warnf("open reads not reported reason=%s", why.getMessage());
        }
        arriving = false;
    }
}

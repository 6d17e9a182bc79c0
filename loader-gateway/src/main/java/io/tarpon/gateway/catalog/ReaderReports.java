package io.tarpon.gateway.catalog;

import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.ReaderReport;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/// Tells metadata-svc again and again which versions have open reads, so that nothing of a removed one is deleted under
/// them; once more, empty, after the last read. A report that does not arrive is made good by the next.
///
/// Threads: one of its own.
public final class ReaderReports implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(ReaderReports.class);

    private final MetadataClient metadata;
    private final OpenReads reads;
    private final Duration every;
    private final String reader = "gateway-" + UUID.randomUUID();
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;
    private boolean saidSome;
    private boolean arriving = true;

    /// @param metadata with the write token
    public ReaderReports(MetadataClient metadata, OpenReads reads, Duration every) {
        this.metadata = metadata;
        this.reads = reads;
        this.every = every;
        this.thread = Thread.ofVirtual().name("reader-reports").unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    @Override
    public void close() {
        stop.countDown();
        thread.interrupt();
    }

    private void run() {
        try {
            while (!stop.await(every.toMillis(), TimeUnit.MILLISECONDS)) {
                report();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void report() {
        var versions = reads.versions(ReaderReport.MAX_VERSIONS);
        if (versions.isEmpty() && !saidSome) {
            return;
        }
        try {
            metadata.reading(reader, new ReaderReport(versions));
            saidSome = !versions.isEmpty();
            arriving = true;
        } catch (IOException | TarponException e) {
            saidSome = true;
            if (arriving && stop.getCount() > 0) {
                LOG.warnf("open reads not reported versions=%d reason=%s", versions.size(), e.getMessage());
            }
            arriving = false;
        }
    }
}

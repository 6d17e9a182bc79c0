package io.tarpon.ingest;

import io.tarpon.ingest.disk.RecordFile;
import io.tarpon.ingest.disk.Records;
import io.tarpon.ingest.disk.SpoolArea;
import io.tarpon.ingest.plan.TopFolders;
import io.tarpon.ingest.record.ListedRecord;
import io.tarpon.ingest.record.RecordBytes;
import io.tarpon.ingest.upload.OneLine;
import io.tarpon.service.retry.Patience;
import io.tarpon.store.ObjectSource;
import io.tarpon.store.StorageFailures;
import java.io.IOException;
import org.jboss.logging.Logger;

/// Step 1: the source, listed once, on the spool. All that follows reads this listing, so a source that changes
/// meanwhile is planned as it was seen.
final class SourceListing implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(SourceListing.class);
    private static final long LOG_EVERY = 1_000_000;

    private final RecordFile objects;
    private final TopFolders folders = new TopFolders();
    private long count;
    private String last = "";

    private SourceListing(RecordFile objects) {
        this.objects = objects;
    }

    /// However often the listing breaks off, it goes on behind what is on the spool.
    ///
    /// @param fence asked every so often
    /// @throws SourceUnreadableException when the source cannot be listed, and waiting would not help
    static SourceListing take(
            String reference, ObjectSource source, SpoolArea spool, Patience patience, PacedFence fence)
            throws IOException {
        var listing = new SourceListing(new RecordFile(spool));
        try {
            patience.keepTrying("list source " + OneLine.of(reference), () -> listing.goOn(reference, source, fence));
            listing.objects.finish();
            return listing;
        } catch (IOException | RuntimeException e) {
            listing.close();
            throw e;
        }
    }

    TopFolders folders() {
        return folders;
    }

    long count() {
        return count;
    }

    Records open() {
        return objects.open();
    }

    @Override
    public void close() {
        objects.close();
    }

    private long goOn(String reference, ObjectSource source, PacedFence fence) throws IOException {
        var record = new RecordBytes();
        try {
            source.listAfter(last, object -> {
                fence.check();
                folders.see(object);
                ListedRecord.write(record, object);
                objects.add(record.bytes(), 0, record.length());
                last = object.key();
                if (++count % LOG_EVERY == 0) {
                    LOG.infof("source being listed source=%s objects=%d", OneLine.of(reference), count);
                }
            });
            return count;
        } catch (IOException e) {
            if (StorageFailures.isFinal(e)) {
                throw new SourceUnreadableException(reference, e);
            }
            throw e;
        }
    }
}

package io.tarpon.ingest;

import io.tarpon.ingest.disk.RecordFile;
import io.tarpon.ingest.disk.Records;
import io.tarpon.ingest.disk.SpoolArea;
import io.tarpon.ingest.disk.SpoolException;
import io.tarpon.ingest.plan.TopFolders;
import io.tarpon.ingest.record.ListedRecord;
import io.tarpon.ingest.record.RecordBytes;
import io.tarpon.ingest.upload.OneLine;
import io.tarpon.store.ObjectSource;
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

    private SourceListing(RecordFile objects) {
        this.objects = objects;
    }

    static SourceListing take(String reference, ObjectSource source, SpoolArea spool) throws IOException {
        var listing = new SourceListing(new RecordFile(spool));
        try {
            listing.fill(reference, source);
            return listing;
        } catch (SpoolException e) {
            listing.close();
            throw e;
        } catch (IOException e) {
            listing.close();
            throw new SourceUnreadableException(reference, e);
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

    private void fill(String reference, ObjectSource source) throws IOException {
        var record = new RecordBytes();
        source.list(object -> {
            folders.see(object);
            ListedRecord.write(record, object);
            objects.add(record.bytes(), 0, record.length());
            if (++count % LOG_EVERY == 0) {
                LOG.infof("source being listed source=%s objects=%d", OneLine.of(reference), count);
            }
        });
        objects.finish();
    }
}

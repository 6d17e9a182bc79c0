package io.tarpon.metadata.log;

import io.tarpon.wire.format.CorruptFormatException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.RocksDBException;

/// Makes a [LocalLog] in a folder that has none, entry by entry. Owned by one thread.
///
/// Crash points: what is in the folder before [#finish] is half a log; who finds it deletes it.
public final class LocalFill implements AutoCloseable {
    private static final int MAX_BATCH_ENTRIES = 4_096;
    private static final long MAX_BATCH_BYTES = 8L << 20;

    private final Path folder;
    private final Store store;
    private final List<byte[]> batch = new ArrayList<>();
    private long batchBytes;
    private long written;

    private LocalFill(Path folder, Store store, long begin) {
        this.folder = folder;
        this.store = store;
        this.written = begin;
    }

    /// @param folder empty
    /// @param libraries a folder to unpack RocksDB's native library in
    /// @param begin position after which the log begins
    public static LocalFill open(Path folder, Path libraries, long begin) throws IOException {
        try {
            var store = Store.open(folder, libraries);
            if (begin > 0) {
                store.trim(begin);
            }
            return new LocalFill(folder, store, begin);
        } catch (RocksDBException e) {
            throw new CorruptFormatException(folder.toString(), "metadata log", e.getMessage() + "", e);
        }
    }

    public void add(byte[] entry) throws IOException {
        batch.add(entry);
        batchBytes += entry.length;
        if (batch.size() >= MAX_BATCH_ENTRIES || batchBytes >= MAX_BATCH_BYTES) {
            write();
        }
    }

    /// Returns once all is on the disk.
    ///
    /// @param published up to which revision events are known to be published
    public void finish(long published) throws IOException {
        try {
            store.mark(published);
            // Synced, which makes the mark before it last.
            store.trim(store.begin());
        } catch (RocksDBException e) {
            throw failed(e);
        }
        write();
    }

    private void write() throws IOException {
        try {
            if (!batch.isEmpty()) {
                store.write(written + 1, batch);
            }
        } catch (RocksDBException e) {
            throw failed(e);
        }
        written += batch.size();
        batch.clear();
        batchBytes = 0;
    }

    private IOException failed(RocksDBException reason) {
        return new IOException("metadata log " + folder + " cannot be written: " + reason.getMessage(), reason);
    }

    @Override
    public void close() {
        store.close();
    }
}

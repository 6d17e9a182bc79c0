package io.tarpon.metadata.view;

import io.tarpon.metadata.image.ImageStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Snapshot;

/// A snapshot of RocksDB's own, which holds back what would be overwritten until it is closed.
///
/// Everything of it happens under the lock of `readable`, where it is while its RocksDB is open; whoever closes that
/// takes the lock, and calls [#lose()] first. What is scanned comes in parts, so that nobody waits long for the lock,
/// and visitors are called without it.
final class FrozenView implements ImageStore.Frozen {
    private static final int PART_PAIRS = 1_000;
    private static final int PART_BYTES = 1 << 20;

    private final RocksDB db;
    private final Path folder;
    private final Set<FrozenView> readable;
    private final Snapshot snapshot;

    private FrozenView(RocksDB db, Path folder, Set<FrozenView> readable) {
        this.db = db;
        this.folder = folder;
        this.readable = readable;
        this.snapshot = db.getSnapshot();
    }

    /// Under the lock.
    static FrozenView of(RocksDB db, Path folder, Set<FrozenView> readable) {
        var view = new FrozenView(db, folder, readable);
        readable.add(view);
        return view;
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
        synchronized (readable) {
            try (var reads = reads()) {
                return db.get(reads, key);
            } catch (RocksDBException e) {
                throw RocksView.unreadable(folder, e);
            }
        }
    }

    @Override
    public void scan(ImageStore.Visitor visitor) {
        var from = new byte[0];
        for (var part = part(from); !part.isEmpty(); part = part(from)) {
            for (var pair : part) {
                if (!visitor.visit(pair.getKey(), pair.getValue())) {
                    return;
                }
            }
            var last = part.getLast().getKey();
            // The key that follows it at once.
            from = Arrays.copyOf(last, last.length + 1);
        }
    }

    private List<Map.Entry<byte[], byte[]>> part(byte[] from) {
        var part = new ArrayList<Map.Entry<byte[], byte[]>>();
        synchronized (readable) {
            try (var reads = reads();
                    var entries = db.newIterator(reads)) {
                var bytes = 0;
                for (entries.seek(from);
                        entries.isValid() && part.size() < PART_PAIRS && bytes < PART_BYTES;
                        entries.next()) {
                    part.add(Map.entry(entries.key(), entries.value()));
                    bytes += part.getLast().getValue().length;
                }
                entries.status();
            } catch (RocksDBException e) {
                throw RocksView.unreadable(folder, e);
            }
        }
        return part;
    }

    /// Which do not push what others need out of the cache.
    private ReadOptions reads() throws RocksDBException {
        if (!readable.contains(this)) {
            throw new RocksDBException("it was opened anew, or closed, since this was begun");
        }
        return new ReadOptions().setSnapshot(snapshot).setFillCache(false);
    }

    /// Under the lock, before RocksDB is closed.
    void lose() {
        db.releaseSnapshot(snapshot);
    }

    @Override
    public void close() {
        synchronized (readable) {
            if (readable.remove(this)) {
                lose();
            }
        }
    }
}

package io.tarpon.metadata.view;

import io.tarpon.metadata.image.BufferedStore;
import io.tarpon.metadata.image.ImageStoreException;
import io.tarpon.metadata.image.StoredImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Slice;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/// The store of an image in RocksDB. Memory: what the cache and two write buffers may have, whatever it holds.
///
/// Crash points: a commit is one batch, with the revision in it, and goes to RocksDB's own log unsynced. Killed
/// before it, the view is that of the commit before, and the entries since are replayed again; killed after it, it
/// is there. A power cut may take the last commits, in order from the end, and the same holds. What it loses is in
/// the metadata log, which is synced before anybody replays it, or where that was cut, in a snapshot; so the view
/// is never ahead of both.
///
/// What is frozen ([FrozenView]) is read by another thread, in parts, each under `frozen`'s lock, which closing
/// RocksDB takes too: RocksDB reads freed memory when it is used after that.
///
/// After a write that failed RocksDB takes no more, so it is opened anew; where that fails too, as on a full disk, only
/// for reading, until the next write.
public final class RocksView extends BufferedStore {
    private static final Logger LOG = Logger.getLogger(RocksView.class);
    private static final long WRITE_BUFFER_BYTES = 8L << 20;
    private static final long MAX_WAL_BYTES = 64L << 20;
    private static final long INFO_LOG_BYTES = 1L << 20;
    private static final int INFO_LOG_FILES = 3;
    private static final int BLOOM_BITS = 10;
    /// Few and large: a part of the cache must hold many blocks.
    private static final int CACHE_SHARD_BITS = 2;

    private final Path folder;
    private final LRUCache cache;
    private final BloomFilter filter = new BloomFilter(BLOOM_BITS);
    private final Options options;
    private final WriteOptions unsynced = new WriteOptions();
    /// Those that can still be read, which is those of `db`; also the lock for it.
    private final Set<FrozenView> frozen = new HashSet<>();

    /// Null when closed, or where it could not even be opened for reading.
    private @Nullable RocksDB db;

    private boolean takesWrites;

    private RocksView(Path folder, long cacheBytes) {
        this.folder = folder;
        this.cache = new LRUCache(cacheBytes, CACHE_SHARD_BITS);
        this.options = new Options()
                .setCreateIfMissing(true)
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                .setWriteBufferSize(WRITE_BUFFER_BYTES)
                .setMaxWriteBufferNumber(2)
                .setMaxTotalWalSize(MAX_WAL_BYTES)
                .setMaxBackgroundJobs(2)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setMaxLogFileSize(INFO_LOG_BYTES)
                .setKeepLogFileNum(INFO_LOG_FILES)
                .setTableFormatConfig(new BlockBasedTableConfig()
                        .setBlockCache(cache)
                        .setFilterPolicy(filter)
                        // In parts of a block's size: whole ones would push each other out of a small cache.
                        .setIndexType(IndexType.kTwoLevelIndexSearch)
                        .setPartitionFilters(true)
                        .setCacheIndexAndFilterBlocks(true)
                        .setPinL0FilterAndIndexBlocksInCache(true));
    }

    /// Opens the view in a folder, or an empty one. One of another format is deleted, so that its image is made anew.
    ///
    /// @param libraries where the native library is unpacked
    /// @param cacheBytes how much of it is held in memory for reading
    public static RocksView open(Path folder, Path libraries, long cacheBytes) throws IOException {
        NativeLibraryLoader.getInstance().loadLibrary(libraries.toString());
        var view = new RocksView(folder, cacheBytes);
        try {
            view.reopen();
            var format = StoredImage.format(view);
            if (format != 0 && format != StoredImage.FORMAT) {
                LOG.infof(
                        "metadata view is made anew folder=%s format=%d wanted=%d", folder, format, StoredImage.FORMAT);
                view.destroy();
            }
            return view;
        } catch (RocksDBException | RuntimeException e) {
            view.close();
            throw new IOException(
                    "the view of the metadata log in " + folder + " cannot be opened: " + e.getMessage()
                            + "; delete that folder, and it is made anew from the log",
                    e);
        }
    }

    private void destroy() throws RocksDBException {
        shut();
        RocksDB.destroyDB(folder.toString(), options);
        reopen();
    }

    private RocksDB reopen() throws RocksDBException {
        shut();
        var opened = RocksDB.open(options, folder.toString());
        db = opened;
        takesWrites = true;
        return opened;
    }

    private void shut() {
        takesWrites = false;
        synchronized (frozen) {
            if (db != null) {
                frozen.forEach(FrozenView::lose);
                frozen.clear();
                db.close();
                db = null;
            }
        }
    }

    @Override
    public Frozen freeze() {
        synchronized (frozen) {
            try {
                return FrozenView.of(open(), folder, frozen);
            } catch (RocksDBException e) {
                throw unreadable(e);
            }
        }
    }

    /// What was committed lasts through a power cut too, from here on.
    ///
    /// @throws ImageStoreException that is not sure
    public void sync() {
        try {
            open().syncWal();
        } catch (RocksDBException e) {
            throw new ImageStoreException(
                    "the view of the metadata log in " + folder + " cannot be synced: " + e.getMessage(), e);
        }
    }

    @Override
    protected byte @Nullable [] committed(byte[] key) {
        try {
            return open().get(key);
        } catch (RocksDBException e) {
            throw unreadable(e);
        }
    }

    @Override
    protected void scanCommitted(byte[] from, byte[] to, Visitor visitor) {
        try (var end = new Slice(to);
                var reads = new ReadOptions().setIterateUpperBound(end);
                var entries = open().newIterator(reads)) {
            entries.seek(from);
            while (entries.isValid() && visitor.visit(entries.key(), entries.value())) {
                entries.next();
            }
            entries.status();
        } catch (RocksDBException e) {
            throw unreadable(e);
        }
    }

    @Override
    protected void write(List<Range> dropped, Map<byte[], Optional<byte[]>> changed) {
        try (var batch = new WriteBatch()) {
            for (var range : dropped) {
                batch.deleteRange(range.from(), range.to());
            }
            for (var change : changed.entrySet()) {
                if (change.getValue().isPresent()) {
                    batch.put(change.getKey(), change.getValue().get());
                } else {
                    batch.delete(change.getKey());
                }
            }
            write(batch);
        } catch (RocksDBException e) {
            throw new ImageStoreException(
                    "the view of the metadata log in " + folder + " cannot be written: " + e.getMessage(), e);
        }
    }

    private void write(WriteBatch batch) throws RocksDBException {
        try {
            var open = takesWrites && db != null ? db : reopen();
            open.write(unsynced, batch);
        } catch (RocksDBException e) {
            openForReading();
            throw e;
        }
    }

    private void openForReading() {
        shut();
        try {
            db = RocksDB.openReadOnly(options, folder.toString());
        } catch (RocksDBException e) {
            LOG.errorf(e, "metadata view cannot even be read folder=%s", folder);
        }
    }

    private RocksDB open() throws RocksDBException {
        if (db == null) {
            throw new RocksDBException("it could not be opened after a write that failed");
        }
        return db;
    }

    private ImageStoreException unreadable(RocksDBException reason) {
        return unreadable(folder, reason);
    }

    static ImageStoreException unreadable(Path folder, RocksDBException reason) {
        return new ImageStoreException(
                "the view of the metadata log in " + folder + " cannot be read: " + reason.getMessage(), reason);
    }

    @Override
    public void close() {
        shut();
        unsynced.close();
        options.close();
        filter.close();
        cache.close();
    }
}

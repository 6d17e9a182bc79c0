package io.tarpon.block.index;

import io.tarpon.wire.block.BlockId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/// The blocks of one data folder by id and by last use, in RocksDB:
///
/// ```
/// 'b' | id[16]                    -> entry
/// 'u' | last use u64 | id[16]     -> nothing
/// ```
///
/// Both keys of a block change in one batch. Writes are not synced: what a power cut takes is found again in the block
/// files. One lock guards every call, so that reading an entry and writing it back is one step, and nobody calls into a
/// closed database. Nothing but the database is called under it. Every call but those for the totals may wait for the
/// disk of the state folder.
public final class BlockIndex implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(BlockIndex.class);
    private static final int ID_BYTES = 16;
    private static final byte ENTRY = 'b';
    private static final byte USE = 'u';
    private static final byte[] NOTHING = {};

    private final LRUCache cache;
    private final Options options;
    private final WriteOptions unsynced = new WriteOptions();
    private final RocksDB db;
    private boolean closed;
    private volatile long blocks;
    private volatile long bytes;

    private BlockIndex(LRUCache cache, Options options, RocksDB db) {
        this.cache = cache;
        this.options = options;
        this.db = db;
    }

    /// Opens the index in a folder, and begins an empty one where there is none or it cannot be read. Who calls it
    /// holds the lock of the node's data folders.
    public static BlockIndex open(String folder) throws IOException {
        RocksDB.loadLibrary();
        try {
            return load(folder);
        } catch (RocksDBException | IllegalArgumentException e) {
            if (e instanceof RocksDBException failed && isOfTheDisk(failed)) {
                throw new IOException("block index " + folder + " cannot be opened: " + e.getMessage(), e);
            }
            LOG.warnf("block index is unreadable and made anew folder=%s reason=%s", folder, e.getMessage());
        }
        try (var options = new Options()) {
            RocksDB.destroyDB(folder, options);
            return load(folder);
        } catch (RocksDBException e) {
            throw new IOException("block index " + folder + " cannot be made: " + e.getMessage(), e);
        }
    }

    public synchronized Optional<BlockEntry> get(BlockId id) throws IOException {
        try {
            return Optional.ofNullable(entry(id));
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    /// Adds or replaces the entry of a block.
    public synchronized void put(BlockEntry entry) throws IOException {
        try {
            write(entry(entry.id()), entry);
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    /// Afterwards the block has no entry.
    public synchronized void remove(BlockId id) throws IOException {
        try {
            write(entry(id), null);
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    /// Notes when blocks were used; those without an entry are passed over. Others have their turn in between.
    public void used(Map<BlockId, Long> useMillis) throws IOException {
        for (var use : useMillis.entrySet()) {
            used(use.getKey(), use.getValue());
        }
    }

    private synchronized void used(BlockId id, long millis) throws IOException {
        try {
            var entry = entry(id);
            if (entry != null) {
                write(entry, entry.usedAt(millis));
            }
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    /// Marks a block so that it is never evicted, or takes the mark away. Nothing happens where it has no entry.
    public synchronized void pin(BlockId id, boolean pinned) throws IOException {
        try {
            var entry = entry(id);
            if (entry != null) {
                write(entry, entry.pinned(pinned));
            }
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    /// So many entries at most, by id, of ids above this one.
    public synchronized List<BlockEntry> after(BlockId id, int most) throws IOException {
        requireOpen();
        List<BlockEntry> entries = new ArrayList<>();
        try (var at = db.newIterator()) {
            for (at.seek(entryKey(id)); at.isValid() && at.key()[0] == ENTRY && entries.size() < most; at.next()) {
                var entry = BlockEntry.decode(id(at.key(), 1), at.value());
                if (!entry.id().equals(id)) {
                    entries.add(entry);
                }
            }
            at.status();
            return entries;
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    /// Visits the entries from the least recently used on, as they were at the call, while the visitor answers
    /// true. The visitor works in memory: everybody else waits for it.
    public synchronized void leastRecentlyUsed(Visitor visitor) throws IOException {
        requireOpen();
        try (var at = db.newIterator()) {
            for (at.seek(new byte[] {USE}); at.isValid() && at.key()[0] == USE; at.next()) {
                var entry = get(id(at.key(), 1 + Long.BYTES));
                if (entry.isPresent() && !visitor.visit(entry.get())) {
                    return;
                }
            }
            at.status();
        } catch (RocksDBException e) {
            throw failure(e);
        }
    }

    /// How many blocks there are. Waits for nothing.
    public long blocks() {
        return blocks;
    }

    /// Bytes of their files. Waits for nothing.
    public long bytes() {
        return bytes;
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        db.close();
        options.close();
        unsynced.close();
        cache.close();
    }

    private static BlockIndex load(String folder) throws RocksDBException {
        var cache = new LRUCache(4 << 20);
        var options = new Options()
                .setCreateIfMissing(true)
                .setWriteBufferSize(4 << 20)
                .setMaxWriteBufferNumber(2)
                .setMaxOpenFiles(64)
                .setKeepLogFileNum(2)
                .setMaxLogFileSize(1 << 20)
                .setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(cache));
        RocksDB db = null;
        try {
            db = RocksDB.open(options, folder);
            var index = new BlockIndex(cache, options, db);
            index.count();
            return index;
        } catch (RocksDBException | IllegalArgumentException e) {
            if (db != null) {
                db.close();
            }
            options.close();
            cache.close();
            throw e;
        }
    }

    /// Says nothing about what is on the disk: the index would be made anew on one that has no room for it.
    private static boolean isOfTheDisk(RocksDBException e) {
        var status = e.getStatus();
        return status != null
                && status.getCode() == Status.Code.IOError
                && !String.valueOf(e.getMessage()).contains("No such file or directory");
    }

    /// Reads every entry once, which also proves that each can be read.
    private synchronized void count() throws RocksDBException {
        try (RocksIterator at = db.newIterator()) {
            for (at.seekToFirst(); at.isValid(); at.next()) {
                if (at.key()[0] == ENTRY) {
                    blocks = blocks + 1;
                    bytes = bytes
                            + BlockEntry.decode(id(at.key(), 1), at.value()).fileBytes();
                }
            }
            at.status();
        }
    }

    /// A call into a closed RocksDB would take the process down.
    private void requireOpen() throws IOException {
        if (closed) {
            throw new IOException("the block index is closed: the node is stopping");
        }
    }

    private @Nullable BlockEntry entry(BlockId id) throws RocksDBException, IOException {
        requireOpen();
        var value = db.get(entryKey(id));
        return value == null ? null : BlockEntry.decode(id, value);
    }

    private void write(@Nullable BlockEntry before, @Nullable BlockEntry after) throws RocksDBException {
        try (var batch = new WriteBatch()) {
            if (before != null) {
                batch.delete(entryKey(before.id()));
                batch.delete(useKey(before));
            }
            if (after != null) {
                batch.put(entryKey(after.id()), after.encode());
                batch.put(useKey(after), NOTHING);
            }
            db.write(unsynced, batch);
        }
        // Written under the lock, read without.
        blocks = blocks + (after == null ? 0 : 1) - (before == null ? 0 : 1);
        bytes = bytes + (after == null ? 0 : after.fileBytes()) - (before == null ? 0 : before.fileBytes());
    }

    private static byte[] entryKey(BlockId id) {
        return ByteBuffer.allocate(1 + ID_BYTES)
                .put(ENTRY)
                .putLong(id.high())
                .putLong(id.low())
                .array();
    }

    private static byte[] useKey(BlockEntry entry) {
        return ByteBuffer.allocate(1 + Long.BYTES + ID_BYTES)
                .put(USE)
                .putLong(entry.lastUseMillis())
                .putLong(entry.id().high())
                .putLong(entry.id().low())
                .array();
    }

    private static BlockId id(byte[] key, int offset) {
        if (key.length != offset + ID_BYTES) {
            throw new IllegalArgumentException("index key of " + key.length + " bytes");
        }
        var bits = ByteBuffer.wrap(key);
        return new BlockId(bits.getLong(offset), bits.getLong(offset + Long.BYTES));
    }

    /// Takes entries, one at a time.
    @FunctionalInterface
    public interface Visitor {
        /// Whether to go on.
        boolean visit(BlockEntry entry) throws IOException;
    }

    private static IOException failure(RocksDBException e) {
        return new IOException("the block index failed: " + e.getMessage(), e);
    }
}

package io.tarpon.metadata.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.CompressionType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/// The keys of the log in RocksDB: `e` and a position (i64, big-endian) holds an entry, `m` the publisher's mark,
/// `b` the position up to which entries were removed.
///
/// A write-ahead log is taken as it is up to a torn end, and no further: point-in-time recovery, RocksDB's
/// default, would drop acknowledged entries behind a damaged one without a word.
final class Store implements AutoCloseable {
    private static final byte ENTRY = 'e';
    private static final byte[] MARK = {'m'};
    private static final byte[] BEGIN = {'b'};
    private static final byte[] AFTER_ENTRIES = {ENTRY + 1};
    private static final long WRITE_BUFFER_BYTES = 8L << 20;
    private static final long CACHE_BYTES = 4L << 20;
    private static final long MAX_WAL_BYTES = 64L << 20;
    private static final long INFO_LOG_BYTES = 1L << 20;
    private static final int INFO_LOG_FILES = 3;

    private final RocksDB db;
    private final Options options;
    private final LRUCache cache;
    private final WriteOptions synced = new WriteOptions().setSync(true);
    private final WriteOptions unsynced = new WriteOptions();

    /// One entry of a scan.
    interface Visitor {
        /// Returns whether to go on.
        boolean visit(long position, byte[] entry) throws IOException;
    }

    private Store(RocksDB db, Options options, LRUCache cache) {
        this.db = db;
        this.options = options;
        this.cache = cache;
    }

    static Store open(Path folder, Path libraries) throws IOException, RocksDBException {
        NativeLibraryLoader.getInstance().loadLibrary(libraries.toString());
        var cache = new LRUCache(CACHE_BYTES);
        var options = new Options()
                .setCreateIfMissing(true)
                .setParanoidChecks(true)
                .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                .setWriteBufferSize(WRITE_BUFFER_BYTES)
                .setMaxWriteBufferNumber(2)
                .setMaxTotalWalSize(MAX_WAL_BYTES)
                .setMaxBackgroundJobs(2)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setMaxLogFileSize(INFO_LOG_BYTES)
                .setKeepLogFileNum(INFO_LOG_FILES)
                .setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(cache));
        try {
            return new Store(RocksDB.open(options, folder.toString()), options, cache);
        } catch (RocksDBException e) {
            options.close();
            cache.close();
            throw e;
        }
    }

    /// Writes entries from position `first` on, all or none, and returns once they are on the disk.
    void write(long first, List<byte[]> entries) throws RocksDBException {
        try (var batch = new WriteBatch()) {
            for (int i = 0; i < entries.size(); i++) {
                batch.put(key(first + i), entries.get(i));
            }
            db.write(synced, batch);
        }
    }

    /// Removes entries up to `position`, all or none, and returns once that is on the disk.
    void trim(long position) throws RocksDBException {
        try (var batch = new WriteBatch()) {
            batch.put(BEGIN, number(position));
            batch.deleteRange(key(0), key(position + 1));
            db.write(synced, batch);
        }
    }

    /// Position up to which entries were removed; 0 where none were.
    long begin() throws RocksDBException {
        return number(db.get(BEGIN));
    }

    /// Of an entry, or where all were removed, of the last of these.
    long lastPosition() throws RocksDBException {
        try (RocksIterator entries = db.newIterator()) {
            entries.seekForPrev(key(Long.MAX_VALUE));
            entries.status();
            return entries.isValid() && entries.key()[0] == ENTRY ? position(entries.key()) : begin();
        }
    }

    /// Visits entries from position `first` on, until the visitor has enough.
    void scan(long first, Visitor visitor) throws IOException, RocksDBException {
        try (var end = new Slice(AFTER_ENTRIES);
                var reads = new ReadOptions().setIterateUpperBound(end).setVerifyChecksums(true);
                var entries = db.newIterator(reads)) {
            entries.seek(key(first));
            while (entries.isValid() && visitor.visit(position(entries.key()), entries.value())) {
                entries.next();
            }
            entries.status();
        }
    }

    long mark() throws RocksDBException {
        return number(db.get(MARK));
    }

    void mark(long revision) throws RocksDBException {
        db.put(unsynced, MARK, number(revision));
    }

    @Override
    public void close() {
        db.close();
        synced.close();
        unsynced.close();
        options.close();
        cache.close();
    }

    private static byte[] number(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    /// 0 where there is none.
    private static long number(byte @Nullable [] bytes) {
        return bytes == null ? 0 : ByteBuffer.wrap(bytes).getLong();
    }

    private static byte[] key(long position) {
        return ByteBuffer.allocate(1 + Long.BYTES).put(ENTRY).putLong(position).array();
    }

    private static long position(byte[] key) {
        return ByteBuffer.wrap(key).getLong(1);
    }
}

package io.tarpon.metadata.log;

import io.tarpon.metadata.entry.LogReader;
import io.tarpon.metadata.entry.LogTrimmedException;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.entry.PublishedMark;
import io.tarpon.wire.format.CorruptFormatException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.rocksdb.RocksDBException;

/// The metadata log of one machine: RocksDB, one key an entry, every commit synced to its write-ahead log.
///
/// One thread ([Appender]) writes, in groups, so positions are given in one place. Readers share a lock that
/// closing takes alone, because RocksDB reads freed memory when it is used after closing. `end` is set after the
/// sync, so nothing is read that a crash could take back.
///
/// Crash points: before the sync, the group may be there whole or not at all (one write batch), and nobody was
/// answered; after it, it is there. A write-ahead log that ends inside its last group is cut there; damage before
/// that stops the start.
/// What is trimmed goes in one synced batch too, with the position up to which it went.
public final class LocalLog implements MetadataLog, PublishedMark {
    private static final long MAX_READ_BYTES = 4 << 20;

    private final Path folder;
    private final Duration deadline;
    private final Store store;
    private final Appender appender;
    private final ReentrantReadWriteLock open = new ReentrantReadWriteLock();
    private final Object grown = new Object();
    private final Object trimming = new Object();
    private volatile long end;
    /// Set before anything is removed, so that who misses an entry knows why.
    private volatile long begin;

    private boolean closed;

    /// @param disk writes what the store then holds
    LocalLog(Path folder, Store store, Appender.Writing disk, int queuedEntries, long queuedBytes, Duration deadline)
            throws RocksDBException {
        this.folder = folder;
        this.deadline = deadline;
        this.store = store;
        this.end = store.lastPosition();
        this.begin = store.begin();
        this.appender = new Appender(disk, end, queuedEntries, queuedBytes, this::grow);
    }

    /// @param libraries a folder to unpack RocksDB's native library in
    /// @param queuedEntries,queuedBytes how many entries may wait for the disk, and of how many bytes together
    /// @param deadline how long an append may take; then it is not known what became of it
    public static LocalLog open(Path folder, Path libraries, int queuedEntries, long queuedBytes, Duration deadline)
            throws IOException {
        try {
            var store = Store.open(folder, libraries);
            return new LocalLog(folder, store, store::write, queuedEntries, queuedBytes, deadline);
        } catch (RocksDBException e) {
            throw new CorruptFormatException(folder.toString(), "metadata log", e.getMessage() + "", e);
        }
    }

    @Override
    public long append(byte[] entry) throws IOException {
        MetadataLog.requireFits(entry);
        try {
            return appender.append(entry).get(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the entry was on its way to " + folder);
        } catch (TimeoutException e) {
            throw new IOException("the disk of " + folder + " has not taken the entry after " + deadline, e);
        } catch (ExecutionException e) {
            // Whatever it was, an Error included: the entry may be in the log, and the service goes on answering.
            throw new IOException("append to " + folder + " failed: " + e.getCause(), e);
        }
    }

    @Override
    public LogReader reader(long position) {
        if (position < 0) {
            throw new IllegalArgumentException("read after " + position);
        }
        return new Reading(position);
    }

    /// Entries after `position`, at least one where there is one.
    private List<byte[]> read(long position, int limit) throws IOException {
        open.readLock().lock();
        try {
            if (closed) {
                throw new IOException("metadata log " + folder + " is closed");
            }
            requireThere(position + 1);
            var wanted = (int) Math.min(limit, Math.max(0, end - position));
            return wanted == 0 ? List.of() : entries(position, wanted);
        } finally {
            open.readLock().unlock();
        }
    }

    private List<byte[]> entries(long position, int wanted) throws IOException {
        var entries = new ArrayList<byte[]>();
        var room = new long[] {MAX_READ_BYTES};
        try {
            store.scan(position + 1, (at, bytes) -> {
                var expected = position + entries.size() + 1;
                if (at != expected) {
                    requireThere(expected);
                    throw missing(expected);
                }
                entries.add(bytes);
                room[0] -= bytes.length;
                return entries.size() < wanted && room[0] > 0;
            });
        } catch (RocksDBException e) {
            throw new CorruptFormatException(folder.toString(), "metadata log", e.getMessage() + "", e);
        }
        if (entries.isEmpty()) {
            requireThere(position + 1);
            throw missing(position + 1);
        }
        return entries;
    }

    private void requireThere(long position) throws LogTrimmedException {
        if (position <= begin) {
            throw new LogTrimmedException(folder.toString(), position, begin);
        }
    }

    private CorruptFormatException missing(long position) {
        return new CorruptFormatException(folder.toString(), "metadata log", "entry " + position + " is not there");
    }

    @Override
    public long end() {
        return end;
    }

    @Override
    public long begin() {
        return begin;
    }

    @Override
    public void trim(long position) throws IOException {
        MetadataLog.requireTrimmable(position, end);
        open.readLock().lock();
        try {
            if (closed) {
                throw new IOException("metadata log " + folder + " is closed");
            }
            synchronized (trimming) {
                if (position > begin) {
                    var before = begin;
                    begin = position;
                    try {
                        store.trim(position);
                    } catch (RocksDBException e) {
                        begin = before;
                        throw e;
                    }
                }
            }
        } catch (RocksDBException e) {
            throw new IOException("metadata log " + folder + " cannot be trimmed: " + e.getMessage(), e);
        } finally {
            open.readLock().unlock();
        }
    }

    private void awaitBeyond(long position, Duration timeout) throws InterruptedException {
        var until = System.nanoTime() + timeout.toNanos();
        synchronized (grown) {
            for (var left = timeout.toMillis();
                    end <= position && left > 0;
                    left = (until - System.nanoTime()) / 1_000_000) {
                grown.wait(left);
            }
        }
    }

    private void grow(long position) {
        synchronized (grown) {
            end = position;
            grown.notifyAll();
        }
    }

    @Override
    public long publishedUpTo() throws IOException {
        open.readLock().lock();
        try {
            return closed ? 0 : store.mark();
        } catch (RocksDBException e) {
            throw new CorruptFormatException(folder.toString(), "metadata log", e.getMessage() + "", e);
        } finally {
            open.readLock().unlock();
        }
    }

    @Override
    public void publishedUpTo(long revision) throws IOException {
        open.readLock().lock();
        try {
            if (!closed) {
                store.mark(revision);
            }
        } catch (RocksDBException e) {
            throw new IOException("mark in " + folder + " cannot be written: " + e.getMessage(), e);
        } finally {
            open.readLock().unlock();
        }
    }

    /// Not after an error of the disk.
    @Override
    public boolean isWhole() {
        return appender.isWhole();
    }

    @Override
    public String name() {
        return folder.toString();
    }

    @Override
    public void close() {
        appender.close();
        open.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                store.close();
            }
        } finally {
            open.writeLock().unlock();
        }
    }

    private final class Reading implements LogReader {
        private long position;

        private Reading(long position) {
            this.position = position;
        }

        @Override
        public List<byte[]> next(int limit, Duration patience) throws IOException, InterruptedException {
            if (limit < 1) {
                throw new IllegalArgumentException("at most " + limit + " entries");
            }
            awaitBeyond(position, patience);
            var entries = read(position, limit);
            position += entries.size();
            return entries;
        }

        @Override
        public void close() {
            // Nothing is held between two calls.
        }
    }
}

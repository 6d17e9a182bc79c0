package io.tarpon.metadata.replica;

import io.tarpon.metadata.entry.Entity;
import io.tarpon.metadata.entry.Entry;
import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.entry.LogBusyException;
import io.tarpon.metadata.entry.LogReader;
import io.tarpon.metadata.entry.LogUnavailableException;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.HeapStore;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.log.ForwardingLog;
import io.tarpon.wire.DatasetName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Bugs that a log of several appenders invites.
final class Plants {
    /// Of a dataset that nobody ever names: it holds in place of guards that are gone.
    private static final String ALWAYS = new Entity.Specification(new DatasetName("nobody")).toString();

    private Plants() {}

    /// Decisions forget to guard what they rest on, where it is of this kind.
    static Plant without(Class<? extends Entity> kind) {
        return log -> new ForwardingLog(log) {
            @Override
            public long append(byte[] entry) throws IOException {
                return super.append(unguarded(entry, kind::isInstance));
            }
        };
    }

    /// What is delivered a second time is applied a second time.
    static Plant appliedTwice() {
        return new Plant() {
            @Override
            public MetadataLog in(MetadataLog log) {
                return log;
            }

            @Override
            public byte[] again(byte[] entry) {
                return unguarded(entry, _ -> true);
            }
        };
    }

    /// A replica takes what it has for all there is, so a refusal rests on whatever it knows.
    static Plant withoutBarrier() {
        return log -> new ForwardingLog(log) {
            private long read;

            @Override
            public LogReader reader(long position) {
                var reader = super.reader(position);
                read = position;
                return new LogReader() {
                    @Override
                    public List<byte[]> next(int limit, Duration patience) throws IOException, InterruptedException {
                        var entries = reader.next(limit, patience);
                        read += entries.size();
                        return entries;
                    }

                    @Override
                    public void close() {
                        reader.close();
                    }
                };
            }

            @Override
            public long end() {
                return read;
            }
        };
    }

    /// An append that may or may not have happened is taken for one that has.
    static Plant doubtIsSuccess() {
        return log -> new ForwardingLog(log) {
            @Override
            public long append(byte[] entry) throws IOException {
                var before = log.end();
                try {
                    return super.append(entry);
                } catch (LogBusyException | LogUnavailableException e) {
                    throw e;
                } catch (IOException e) {
                    var end = log.end();
                    if (end == before) {
                        throw e;
                    }
                    return end;
                }
            }
        };
    }

    /// An append that may or may not have happened is taken for one that has not.
    static Plant doubtIsFailure() {
        return log -> new ForwardingLog(log) {
            @Override
            public long append(byte[] entry) throws IOException {
                try {
                    return super.append(entry);
                } catch (LogBusyException | LogUnavailableException e) {
                    throw e;
                } catch (IOException e) {
                    throw new LogUnavailableException("planted: " + e.getMessage());
                }
            }
        };
    }

    /// Whoever appends does not look whether the entry was applied: what came of the last one that was is its outcome.
    static Plant outcomeIsIgnored() {
        return log -> new ForwardingLog(log) {
            @Override
            public long append(byte[] entry) throws IOException {
                return lastApplied(log, super.append(entry));
            }
        };
    }

    /// At this position, or the last one before it that was applied.
    private static long lastApplied(MetadataLog log, long position) throws IOException {
        var image = new Image(new HeapStore());
        var last = 0L;
        try (var reader = log.reader(0)) {
            while (image.revision() < position) {
                for (var bytes : reader.next(1, Duration.ZERO)) {
                    var replayed = image.replay(EntryFormat.decode("planted", bytes));
                    last = replayed.applied() ? replayed.revision() : last;
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return last;
    }

    private static byte[] unguarded(byte[] bytes, Predicate<Entity> dropped) {
        try {
            var entry = EntryFormat.decode("planted", bytes);
            var guards = new TreeMap<>(entry.guards());
            guards.keySet().removeIf(key -> dropped.test(Entity.parse(key)));
            if (guards.isEmpty()) {
                guards.put(ALWAYS, 0L);
            }
            return EntryFormat.encode(new Entry(
                    entry.idempotenceKey(), entry.at(), entry.traceparent(), guards, entry.records(), entry.log()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

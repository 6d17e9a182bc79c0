package io.tarpon.metadata.log;

import io.tarpon.metadata.entry.LogReader;
import io.tarpon.metadata.entry.LogTrimmedException;
import io.tarpon.metadata.entry.LogUnavailableException;
import io.tarpon.metadata.entry.MetadataLog;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;

/// A metadata log that several appenders share and that fails as a remote one does, all from one seed: entries come
/// late, are overtaken, come twice or never, acknowledgements get lost, appenders die on either side of an append,
/// and now and then nothing can be read.
///
/// Blocking calls are simulated by giving others their turn inside the call (`meanwhile`), so the code under
/// test runs as it is, on one thread, and the same seed gives the same run. With [#calm()] it is an ordinary log
/// in memory, safe for any thread.
public final class SimulatedLog {
    /// What becomes of one append.
    public enum Fate {
        /// Appended and acknowledged.
        PLAIN,
        /// Never appended; an error.
        LOST,
        /// Never appended, and that is known.
        AWAY,
        /// Appended at some later time; an error now.
        LATE,
        /// Appended; the acknowledgement is lost: an error.
        UNACKNOWLEDGED,
        /// Appended now and once more later; acknowledged.
        TWICE,
        /// The appender dies before anything is appended.
        CRASH_BEFORE,
        /// The appender dies after it is appended, before it knows.
        CRASH_AFTER
    }

    /// The process of an appender is gone, in the middle of an append.
    public static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Crash() {
            super("kill -9", null, false, false);
        }
    }

    private static final int FAULT_PERCENT = 35;
    private static final int UNREADABLE_PERCENT = 3;

    private final Random random;
    private final List<byte[]> entries = new ArrayList<>();
    private final List<byte[]> late = new ArrayList<>();
    private final Map<Fate, Integer> fates = new EnumMap<>(Fate.class);
    private long trimmed;
    private boolean calm;
    private int unreadable;
    private Runnable meanwhile = () -> {};
    private UnaryOperator<byte[]> again = UnaryOperator.identity();

    public SimulatedLog(long seed) {
        this.random = new Random(seed);
    }

    /// From now on nothing fails.
    public synchronized SimulatedLog calm() {
        calm = true;
        return this;
    }

    /// What others do while an append is on its way.
    public void meanwhile(Runnable others) {
        meanwhile = others;
    }

    /// What becomes of an entry that is delivered a second time.
    public void again(UnaryOperator<byte[]> copy) {
        again = copy;
    }

    /// How often each fate struck.
    public Map<Fate, Integer> fates() {
        return fates;
    }

    /// Everything that is in the log, for the judge of a simulation.
    public synchronized List<byte[]> entries() {
        return List.copyOf(entries);
    }

    /// One entry that is on its way arrives, if there is one.
    public synchronized void deliverOne() {
        if (!late.isEmpty()) {
            entries.add(late.remove(random.nextInt(late.size())));
            notifyAll();
        }
    }

    public synchronized void deliverAll() {
        while (!late.isEmpty()) {
            deliverOne();
        }
    }

    /// A new appender, which is also a reader that may be behind.
    public Appending appender() {
        return new Appending();
    }

    private synchronized long add(byte[] entry) {
        entries.add(entry.clone());
        notifyAll();
        return entries.size();
    }

    private Fate drawFate() {
        var fate = calm || random.nextInt(100) >= FAULT_PERCENT
                ? Fate.PLAIN
                : Fate.values()[1 + random.nextInt(Fate.values().length - 1)];
        if (!calm) {
            fates.merge(fate, 1, Integer::sum);
        }
        return fate;
    }

    private boolean failsToRead() {
        var fails = !calm && random.nextInt(100) < UNREADABLE_PERCENT;
        if (fails) {
            unreadable++;
        }
        return fails;
    }

    /// How often reading failed.
    public int unreadable() {
        return unreadable;
    }

    /// The log as one appender has it.
    public final class Appending implements MetadataLog {
        private long visible;
        private boolean closed;

        /// Lets this reader see some more entries, perhaps all.
        public void seeSome() {
            synchronized (SimulatedLog.this) {
                visible += random.nextLong(entries.size() - visible + 1);
            }
        }

        /// Where the log ends for this reader, which may be behind, but not behind the first entry that is there.
        public long seen() {
            synchronized (SimulatedLog.this) {
                visible = Math.min(entries.size(), Math.max(visible, trimmed + 1));
                return readable();
            }
        }

        @Override
        public long append(byte[] entry) throws IOException {
            MetadataLog.requireFits(entry);
            if (closed) {
                throw new IOException("closed");
            }
            meanwhile.run();
            var position = switch (drawFate()) {
                case PLAIN -> add(entry);
                case TWICE -> {
                    late.add(again.apply(entry.clone()));
                    yield add(entry);
                }
                case AWAY -> throw new LogUnavailableException("simulated: away");
                case LOST -> throw new IOException("simulated: lost");
                case LATE -> {
                    late.add(entry.clone());
                    throw new IOException("simulated: late");
                }
                case UNACKNOWLEDGED -> {
                    add(entry);
                    throw new IOException("simulated: acknowledgement lost");
                }
                case CRASH_BEFORE -> throw new Crash();
                case CRASH_AFTER -> {
                    add(entry);
                    throw new Crash();
                }
            };
            meanwhile.run();
            synchronized (SimulatedLog.this) {
                visible = Math.max(visible, position);
            }
            return position;
        }

        /// What this reader sees may be behind; where reading fails, it is not the time for it.
        @Override
        public LogReader reader(long position) {
            return new Reading(position);
        }

        /// Who asks for the end catches up with it.
        @Override
        public long end() throws IOException {
            meanwhile.run();
            synchronized (SimulatedLog.this) {
                if (closed) {
                    throw new IOException("closed");
                }
                if (failsToRead()) {
                    throw new LogUnavailableException("simulated: the end cannot be told");
                }
                visible = entries.size();
                return visible;
            }
        }

        @Override
        public long begin() {
            synchronized (SimulatedLog.this) {
                return trimmed;
            }
        }

        /// What is removed stays there for the judge.
        @Override
        public void trim(long position) {
            synchronized (SimulatedLog.this) {
                MetadataLog.requireTrimmable(position, entries.size());
                trimmed = Math.max(trimmed, position);
                SimulatedLog.this.notifyAll();
            }
        }

        private long readable() {
            return calm ? entries.size() : visible;
        }

        @Override
        public boolean isWhole() {
            return !closed;
        }

        @Override
        public String name() {
            return "simulated";
        }

        @Override
        public void close() {
            closed = true;
        }

        private final class Reading implements LogReader {
            private long position;

            private Reading(long position) {
                this.position = position;
            }

            @Override
            public List<byte[]> next(int limit, Duration patience) throws IOException, InterruptedException {
                var until = System.nanoTime() + patience.toNanos();
                synchronized (SimulatedLog.this) {
                    for (var left = patience.toMillis();
                            readable() <= position && position >= trimmed && left > 0;
                            left = (until - System.nanoTime()) / 1_000_000) {
                        SimulatedLog.this.wait(left);
                    }
                    if (closed) {
                        throw new IOException("closed");
                    }
                    if (failsToRead()) {
                        throw new LogUnavailableException("simulated: nothing can be read");
                    }
                    if (position < trimmed) {
                        throw new LogTrimmedException(name(), position + 1, trimmed);
                    }
                    var next = Math.min(readable(), position + limit);
                    var read = position >= next
                            ? List.<byte[]>of()
                            : List.copyOf(entries.subList((int) position, (int) next));
                    position += read.size();
                    return read;
                }
            }

            @Override
            public void close() {
                // Nothing is held between two calls.
            }
        }
    }
}

package io.tarpon.metadata.node;

import io.tarpon.metadata.image.WindowDigest;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/// Whether the replicas that live come to the same image from the same entries, by what each says of itself on the
/// presence topic.
///
/// One that differs from more of them than it agrees with, itself included, is wrong and must not answer. Where there
/// are as many on both sides for as long as a third one may be silent, nobody knows who is wrong: then it is all of
/// them. Who has differed once differs for as long as its process lives, or until it stops and so has no windows to
/// tell: whoever stopped is nobody's judge any more.
///
/// Guarded by its own monitor. Time is given, in nanoseconds of a clock that stands still while nothing is heard.
public final class Agreement {
    /// What the own windows are held against: some seconds of them at the highest rate of entries.
    private static final int REMEMBERED = 256;
    /// How many of them are told at a time.
    private static final int TOLD = 16;

    private final String self;
    private final long silenceNanos;
    /// Of this replica, by their ends.
    private final NavigableMap<Long, WindowDigest> own = new TreeMap<>();

    private final Map<String, Other> others = new HashMap<>();
    private long agreedUpTo;

    private boolean isWrong;
    /// Since when as many differ as agree; meaningless while they do not.
    private long tiedSince;
    private boolean isTied;

    /// @param isCompared whether any window of it was one of the own
    /// @param window the last that was compared
    private record Other(boolean isCompared, boolean differs, long window, long at) {
        private static final Other UNKNOWN = new Other(false, false, 0, 0);
    }

    /// @param self the name of this replica, whose own words tell nothing
    /// @param silence after which a replica counts as gone, and within which each that lives speaks
    public Agreement(String self, Duration silence) {
        this.self = self;
        this.silenceNanos = silence.toNanos();
    }

    /// This replica has replayed a window.
    public synchronized void replayed(WindowDigest window) {
        own.put(window.end(), window);
        while (own.size() > REMEMBERED) {
            own.pollFirstEntry();
        }
    }

    /// What to tell the others: nothing, once this one is wrong.
    public synchronized List<WindowDigest> latest() {
        return isWrong
                ? List.of()
                : own.descendingMap().values().stream().limit(TOLD).toList();
    }

    /// A replica has told what it replayed.
    public synchronized void heard(String replica, List<WindowDigest> windows, long now) {
        if (replica.equals(self)) {
            return;
        }
        var known = others.getOrDefault(replica, Other.UNKNOWN);
        var other = windows.isEmpty() ? Other.UNKNOWN : known;
        for (var theirs : windows) {
            var ours = own.get(theirs.end());
            if (ours != null && ours.isComparable(theirs) && !other.differs()) {
                var differs = !ours.equals(theirs);
                other = new Other(true, differs, theirs.end(), now);
                if (!differs) {
                    agreedUpTo = Math.max(agreedUpTo, theirs.end());
                }
            }
        }
        others.put(replica, new Other(other.isCompared(), other.differs(), other.window(), now));
        others.values().removeIf(silent -> now - silent.at() > silenceNanos);
    }

    /// Up to which entry another replica came to the same.
    public synchronized long agreedUpTo() {
        return agreedUpTo;
    }

    /// Why this replica must not answer any more.
    public synchronized Optional<String> divergence(long now) {
        var differing = others.values().stream().filter(Other::differs).toList();
        var agreeing = 1
                + others.values().stream()
                        .filter(other -> other.isCompared() && !other.differs())
                        .count();
        if (differing.isEmpty() || differing.size() < agreeing) {
            isTied = false;
            return Optional.empty();
        }
        if (differing.size() == agreeing && !isTiedForLong(now)) {
            return Optional.empty();
        }
        isWrong = true;
        var window = differing.getFirst().window();
        return Optional.of("what this replica made of the entries up to " + window + " is not what " + differing.size()
                + " of " + (differing.size() + agreeing) + " replicas made of them");
    }

    private boolean isTiedForLong(long now) {
        if (!isTied) {
            isTied = true;
            tiedSince = now;
        }
        return now - tiedSince >= silenceNanos;
    }
}

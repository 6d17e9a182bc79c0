package io.tarpon.ingest.stream;

import io.tarpon.wire.letter.DeadLetter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What one partition has for a page of letters, the newest first: its letters before a place, looked through
/// backwards.
///
/// A marker stands behind the letter that it is about. What is behind the place is read for markers alone; that takes
/// longer the older the page is, and is bounded by time.
final class LetterColumn {
    private final Partition partition;
    private final List<Letter> letters = new ArrayList<>();
    private long oldest;
    private int taken;

    private record Letter(long offset, DeadLetter shown) {}

    private LetterColumn(Partition partition, long start) {
        this.partition = partition;
        this.oldest = start;
    }

    /// Looks through `most` records at most, and for one letter more than asked for.
    ///
    /// @param before letters from here on are not for this page
    static LetterColumn before(long before, Partition partition, int limit, int most) {
        long start = Math.min(before, partition.end());
        var column = new LetterColumn(partition, Math.max(start, partition.begin()));
        var retries = new HashMap<Long, Instant>();
        long first = start - most;
        partition.require(partition.read(
                start, partition.end(), record -> LetterRecords.noteRetry(record, first, start, retries)));
        for (var step : partition.backwards(start, most)) {
            if (column.letters.size() > limit || !column.add(step, first, retries)) {
                break;
            }
        }
        partition.require(column.oldest < start || column.oldest == partition.begin());
        return column;
    }

    /// Whether there was time to.
    private boolean add(Partition.Step step, long first, Map<Long, Instant> retries) {
        var seen = new ArrayList<Letter>();
        boolean isWhole = partition.read(step.from(), step.to(), record -> {
            LetterRecords.noteRetry(record, first, step.to(), retries);
            if (!LetterRecords.isMarker(record)) {
                seen.add(new Letter(record.offset(), LetterRecords.letter(record, null, false)));
            }
        });
        if (isWhole) {
            seen.reversed().stream()
                    .map(letter -> new Letter(
                            letter.offset(), LetterRecords.retried(letter.shown(), retries.get(letter.offset()))))
                    .forEach(letters::add);
            oldest = step.from();
        }
        return isWhole;
    }

    boolean hasNext() {
        return taken < letters.size();
    }

    DeadLetter head() {
        return letters.get(taken).shown();
    }

    DeadLetter take() {
        return letters.get(taken++).shown();
    }

    /// Whether older letters than those taken are, or may be, there.
    boolean isMore() {
        return hasNext() || oldest > partition.begin();
    }

    /// What the next page's letters are before.
    long rest() {
        return hasNext() ? letters.get(taken).offset() + 1 : oldest;
    }

    Partition partition() {
        return partition;
    }
}

package io.tarpon.ingest.stream;

import io.tarpon.ingest.LetterRange;
import io.tarpon.service.stream.LetterHeaders;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.letter.LettersPutBack;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/// Puts back the letters of a range that never were, the oldest first, some at a time: first all of them are in their
/// topic, then they are marked. A crash in between puts some back once more, which does no harm.
///
/// What is behind the place where it begins is read twice: first for markers, which stand behind their letters and of
/// which one bit each is kept, then for the letters.
final class LetterSweep {
    private static final int WINDOW_LETTERS = 64;

    /// A letter has at most the bytes of a message, 1 MiB or so, beside these.
    private static final long WINDOW_BYTES = 2 << 20;

    /// Records that are told apart at a time, in 12 MiB of bits.
    private static final int MOST_MARKS = 100_000_000;

    private final LetterOriginals originals;
    private final UploadLetters deadLetters;
    private final int most;
    private final List<String> ids = new ArrayList<>();
    private final List<String> left = new ArrayList<>();
    private final List<LetterRange> rest = new ArrayList<>();
    private boolean moved;

    /// @param most letters of one sweep
    LetterSweep(LetterOriginals originals, UploadLetters deadLetters, int most) {
        this.originals = originals;
        this.deadLetters = deadLetters;
        this.most = most;
    }

    /// Afterwards the letters of the range are put back, or as many as there was room and time for.
    ///
    /// @throws TarponException `not-ready` where time was up before it, or a sweep before it, moved on
    void sweep(Partition partition, LetterRange range) throws IOException {
        long begin = Math.max(range.from().offset(), partition.begin());
        long to = Math.min(range.to(), begin + MOST_MARKS);
        long at = begin;
        if (hasRoom() && begin < to) {
            var retried = retried(partition, begin, to);
            if (retried.isPresent()) {
                at = putBack(partition, begin, to, retried.get());
            }
        }
        moved |= at > range.from().offset();
        if (at < range.to()) {
            partition.require(moved);
            rest.add(range.from(at));
        }
    }

    LettersPutBack result() {
        var next = rest.stream().map(LetterRange::toString).collect(Collectors.joining(","));
        return new LettersPutBack(ids, left, rest.isEmpty() ? null : next);
    }

    /// Whether each letter, counted from `begin`, was put back before. Empty where time was up.
    private static Optional<BitSet> retried(Partition partition, long begin, long to) {
        var retried = new BitSet();
        boolean isWhole = partition.read(
                begin,
                partition.end(),
                record -> LetterHeaders.number(record.headers(), LetterHeaders.RETRIED)
                        .filter(offset -> offset >= begin && offset < to)
                        .ifPresent(offset -> retried.set((int) (offset - begin))));
        return isWhole ? Optional.of(retried) : Optional.empty();
    }

    /// @return the first offset that is not dealt with
    private long putBack(Partition partition, long begin, long to, BitSet retried) throws IOException {
        long at = begin;
        while (at < to && hasRoom() && partition.hasTime()) {
            var window = new Window(retried, begin);
            at = partition.readWhile(at, to, window::take);
            send(window.letters);
        }
        return at;
    }

    private boolean hasRoom() {
        return ids.size() + left.size() < most;
    }

    private void send(List<ConsumerRecord<byte[], byte[]>> letters) throws IOException {
        var returned = new ArrayList<UploadLetters.Returned>();
        for (var letter : letters) {
            var id = letter.topic() + "/" + letter.partition() + "/" + letter.offset();
            try {
                returned.add(new UploadLetters.Returned(letter, originals.of(letter)));
                ids.add(id);
            } catch (TarponException e) {
                if (e.type() != ProblemType.CONFLICT) {
                    throw e;
                }
                left.add(id);
            }
        }
        deadLetters.putBack(returned);
    }

    /// Letters that are in memory together.
    private final class Window {
        private final List<ConsumerRecord<byte[], byte[]>> letters = new ArrayList<>();
        private final BitSet retried;
        private final long begin;
        private long bytes;

        Window(BitSet retried, long begin) {
            this.retried = retried;
            this.begin = begin;
        }

        /// Whether there is room for another. None after a letter that is cut: the original has any size.
        boolean take(ConsumerRecord<byte[], byte[]> record) {
            if (LetterRecords.isMarker(record) || retried.get((int) (record.offset() - begin))) {
                return true;
            }
            letters.add(record);
            bytes += record.serializedKeySize() + record.serializedValueSize();
            return letters.size() < WINDOW_LETTERS
                    && bytes < WINDOW_BYTES
                    && ids.size() + left.size() + letters.size() < most
                    && !LetterRecords.isCut(record);
        }
    }
}

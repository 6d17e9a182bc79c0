package io.tarpon.ingest.stream;

import io.tarpon.wire.letter.DeadLetter;
import io.tarpon.wire.letter.DeadLetterList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.Collectors;

/// A page of the letters of some partitions: always the one that is the newest of those that are next in their
/// partitions. So pages that go on where the one before ended show each letter once, whatever the clocks of those who
/// sent them said.
final class LetterScan {
    private static final Comparator<LetterColumn> NEWEST_FIRST =
            Comparator.comparing((LetterColumn column) -> column.head().at()).reversed();

    private LetterScan() {}

    static DeadLetterList page(List<LetterColumn> columns, int limit) {
        var letters = new ArrayList<DeadLetter>();
        var heads = new PriorityQueue<>(NEWEST_FIRST);
        columns.stream().filter(LetterColumn::hasNext).forEach(heads::add);
        while (letters.size() < limit && !heads.isEmpty()) {
            var newest = heads.remove();
            letters.add(newest.take());
            if (newest.hasNext()) {
                heads.add(newest);
            }
        }
        boolean isMore = columns.stream().anyMatch(LetterColumn::isMore);
        return new DeadLetterList(letters, isMore, isMore ? rest(columns) : null);
    }

    /// Names a partition that is through as well: without that it would begin again.
    private static String rest(List<LetterColumn> columns) {
        return columns.stream()
                .map(column -> column.partition().place(column.rest()).toString())
                .collect(Collectors.joining(","));
    }
}

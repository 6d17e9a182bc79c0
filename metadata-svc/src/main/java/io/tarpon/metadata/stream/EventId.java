package io.tarpon.metadata.stream;

import io.tarpon.metadata.image.CommittedEvent;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;

/// The id of an event, `<revision>-<n>`, in the order of publishing.
record EventId(long revision, int number) implements Comparable<EventId> {
    /// Before every event.
    static final EventId NONE = new EventId(0, -1);

    private static final Pattern TEXT = Pattern.compile("([1-9][0-9]{0,17})-(0|[1-9][0-9]{0,8})");
    private static final Comparator<EventId> ORDER =
            Comparator.comparingLong(EventId::revision).thenComparingInt(EventId::number);

    static EventId of(CommittedEvent event) {
        return new EventId(event.revision(), event.number());
    }

    static Optional<EventId> parse(String text) {
        var matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(new EventId(Long.parseLong(matcher.group(1)), Integer.parseInt(matcher.group(2))))
                : Optional.empty();
    }

    @Override
    public int compareTo(EventId other) {
        return ORDER.compare(this, other);
    }
}

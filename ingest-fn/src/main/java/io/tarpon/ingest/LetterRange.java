package io.tarpon.ingest;

import java.util.Optional;

/// Letters of one partition, `to` exclusive: what is left to be put back of those that were there when it began.
public record LetterRange(LetterPlace from, long to) {
    /// Empty for what is no range.
    public static Optional<LetterRange> parse(String text) {
        int dash = text.lastIndexOf('-');
        return dash < 0
                ? Optional.empty()
                : LetterPlace.parse(text.substring(0, dash)).flatMap(from -> upTo(from, text.substring(dash + 1)));
    }

    public boolean isEmpty() {
        return from.offset() >= to;
    }

    /// What is left once everything before that offset is done.
    public LetterRange from(long offset) {
        return new LetterRange(new LetterPlace(from.topic(), from.partition(), offset), to);
    }

    @Override
    public String toString() {
        return from + "-" + to;
    }

    private static Optional<LetterRange> upTo(LetterPlace from, String offset) {
        return LetterPlace.parse(from.topic() + "/" + from.partition() + "/" + offset)
                .map(to -> new LetterRange(from, to.offset()));
    }
}

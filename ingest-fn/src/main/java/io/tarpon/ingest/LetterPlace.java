package io.tarpon.ingest;

import java.util.Optional;
import java.util.regex.Pattern;

/// Where a dead letter stands.
public record LetterPlace(String topic, int partition, long offset) {
    /// Canonical, and inside an int and a long.
    private static final Pattern SHAPE =
            Pattern.compile("(?<topic>[A-Za-z0-9._-]+)/(?<partition>0|[1-9]\\d{0,8})/(?<offset>0|[1-9]\\d{0,17})");

    /// Empty for what is no place, or not one in a topic of dead letters.
    public static Optional<LetterPlace> parse(String text) {
        var shape = SHAPE.matcher(text);
        return shape.matches() && DeadLetterBox.TOPICS.contains(shape.group("topic"))
                ? Optional.of(new LetterPlace(
                        shape.group("topic"),
                        Integer.parseInt(shape.group("partition")),
                        Long.parseLong(shape.group("offset"))))
                : Optional.empty();
    }

    @Override
    public String toString() {
        return topic + "/" + partition + "/" + offset;
    }
}

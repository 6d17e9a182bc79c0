package io.tarpon.gateway.target;

import io.tarpon.gateway.order.Share;
import io.tarpon.gateway.order.Shuffle;
import io.tarpon.gateway.order.Tail;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the query of an epoch's URLs, as sent, without its question mark; null where there is none. What is
/// unknown, repeated or out of bounds is refused as `bad-parameter`.
public final class EpochQuery {
    private static final List<String> TAR = List.of("start", "count", "batch", "shuffle", "tail", "fields");
    private static final List<String> MANIFEST = joined(TAR, List.of("workers", "pieces"));
    private static final List<String> POSITIONS = List.of("from", "to", "shuffle");

    private EpochQuery() {}

    /// The query of a body.
    public static EpochOptions tar(@Nullable String query) {
        return epoch(RawQuery.parse(query, TAR));
    }

    /// The query of a rank's manifest.
    public static ManifestOptions manifest(@Nullable String query) {
        var given = RawQuery.parse(query, MANIFEST);
        return new ManifestOptions(
                epoch(given),
                given.number("workers", 1, Share.MOST, 1),
                given.number("pieces", 1, Share.MOST, ManifestOptions.UNCUT));
    }

    /// The query of an epoch's positions.
    public static PositionOptions positions(@Nullable String query) {
        var given = RawQuery.parse(query, POSITIONS);
        var from = given.number("from", 0);
        return given.value("to").isPresent()
                ? new PositionOptions(from, given.number("to", from), shuffle(given))
                : PositionOptions.page(from, shuffle(given));
    }

    private static EpochOptions epoch(RawQuery given) {
        var otherwise = EpochOptions.DEFAULT;
        return new EpochOptions(
                given.number("start", otherwise.start()),
                given.number("count", otherwise.count()),
                given.number("batch", 1, Share.MOST, otherwise.batch()),
                shuffle(given),
                given.value("tail").map(Tail::parse).orElse(otherwise.tail()),
                given.value("fields")
                        .map(fields -> List.of(fields.split(",", -1)))
                        .orElse(otherwise.fields()));
    }

    private static Shuffle shuffle(RawQuery given) {
        return given.value("shuffle").map(Shuffle::parse).orElse(EpochOptions.DEFAULT.shuffle());
    }

    private static List<String> joined(List<String> some, List<String> more) {
        var all = new ArrayList<>(some);
        all.addAll(more);
        return List.copyOf(all);
    }
}

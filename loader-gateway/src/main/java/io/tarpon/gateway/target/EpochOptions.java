package io.tarpon.gateway.target;

import io.tarpon.gateway.order.Share;
import io.tarpon.gateway.order.Shuffle;
import io.tarpon.gateway.order.Stretch;
import io.tarpon.gateway.order.Tail;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.key.KeyPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// What the query of an epoch's URL says: which positions, in which order, and what of each sample. What cannot be is
/// refused as `bad-parameter`.
///
/// @param start the first position, from 0
/// @param count how many positions from there, cut at the end of the split; [Share#ALL] for every one
/// @param batch samples that a rank gets in a row
/// @param fields the extensions that are kept of each sample: a set, in whatever order it is given; empty for all
public record EpochOptions(long start, long count, int batch, Shuffle shuffle, Tail tail, List<String> fields) {
    /// What a URL without a query says.
    public static final EpochOptions DEFAULT = new EpochOptions(0, Share.ALL, 1, Shuffle.GLOBAL, Tail.DROP, List.of());

    public EpochOptions {
        Share.notNegative("start", start);
        Share.notNegative("count", count);
        Share.upToMost("batch", batch);
        fields.forEach(EpochOptions::requireField);
        fields = List.copyOf(new TreeSet<>(fields));
    }

    /// Which part of the epoch a body is.
    public Share share(EpochTarget.Tar tar) {
        return new Share(start, count, tail, batch, tar.world(), tar.rank(), tar.workers(), tar.worker());
    }

    /// The same over other positions.
    public EpochOptions within(Stretch stretch) {
        return new EpochOptions(stretch.start(), stretch.count(), batch, shuffle, tail, fields);
    }

    /// The shortest query that says the same, from the question mark on; empty for [#DEFAULT]. Equal options have equal
    /// queries, and nothing in them needs percent-encoding.
    public String query() {
        var said = new ArrayList<String>();
        if (start != DEFAULT.start) {
            said.add("start=" + start);
        }
        if (count != DEFAULT.count) {
            said.add("count=" + count);
        }
        if (batch != DEFAULT.batch) {
            said.add("batch=" + batch);
        }
        if (shuffle != DEFAULT.shuffle) {
            said.add("shuffle=" + shuffle.wireName());
        }
        if (tail != DEFAULT.tail) {
            said.add("tail=" + tail.wireName());
        }
        if (!fields.isEmpty()) {
            said.add("fields=" + String.join(",", fields));
        }
        return said.isEmpty() ? "" : "?" + String.join("&", said);
    }

    private static void requireField(String field) {
        if (field.isEmpty()) {
            throw TarponException.badParameter(
                    "fields has an empty name; give extensions with one comma between two, such as fields=jpg,cls");
        }
        if (!KeyPolicy.isFinalExtension(field)) {
            throw TarponException.badParameter("fields has '" + Percent.printable(field)
                    + "', which no member can have: extensions are up to " + KeyPolicy.MAX_EXTENSION_BYTES
                    + " of a-z, 0-9, '.', '_' and '-', without the first dot");
        }
    }
}

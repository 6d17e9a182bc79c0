package io.tarpon.gateway.batch;

import com.fasterxml.jackson.core.JsonToken;
import io.tarpon.gateway.target.Percent;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.key.KeyPolicy;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Reads the body of a batch as a stream. What is unknown, repeated, of another type or behind the document is
/// refused as `bad-parameter`, naming it; too many entries as `payload-too-large`. For one thread.
public final class BatchReader {
    private static final int MOST_FIELDS = 1_000;
    private static final int ENTRY_BYTES = 40;
    private static final int STRING_BYTES = 56;
    private static final int SET_BYTES = 256;

    private final StrictJson json;
    private final LongConsumer heap;
    private final Map<Set<String>, Set<String>> fieldSets = new HashMap<>();
    private final List<BatchEntry> entries = new ArrayList<>();
    private @Nullable DatasetName dataset;
    private @Nullable String version;
    private @Nullable SplitName split;
    private Set<String> fields = Set.of();
    private Missing missing = Missing.FAIL;
    private boolean samplesSeen;

    private BatchReader(StrictJson json, LongConsumer heap) {
        this.json = json;
        this.heap = heap;
    }

    /// @param heap is told of every byte that the result will hold, before it does; may refuse
    public static BatchRequest read(InputStream body, LongConsumer heap) {
        return new BatchReader(new StrictJson(body), heap).read();
    }

    private BatchRequest read() {
        if (json.next() != JsonToken.START_OBJECT) {
            throw TarponException.badParameter("the body is not a JSON object; it begins {\"dataset\": …");
        }
        while (json.next() == JsonToken.FIELD_NAME) {
            var name = json.string();
            json.next();
            read(name);
        }
        if (json.next() != JsonToken.NOT_AVAILABLE) {
            throw TarponException.badParameter("the body goes on behind its JSON object");
        }
        if (!samplesSeen) {
            throw absent("samples");
        }
        return new BatchRequest(
                given("dataset", dataset),
                pinned(given("version", version)),
                given("split", split),
                List.copyOf(entries),
                fields,
                missing);
    }

    private void read(String name) {
        switch (name) {
            case "dataset" -> dataset = json.name(name, DatasetName::new);
            case "version" -> version = json.string(name);
            case "split" -> split = json.name(name, SplitName::new);
            case "fields" -> fields = fields(name);
            case "missing" -> missing = Missing.parse(json.string(name));
            case "samples" -> samples();
            default ->
                throw StrictJson.refusal(
                        Percent.printable(name), "unknown; known: dataset, version, split, samples, fields, missing");
        }
    }

    private static @Nullable VersionId pinned(String version) {
        try {
            return version.equals("latest") ? null : VersionId.parse(version);
        } catch (IllegalArgumentException e) {
            throw StrictJson.refusal("version", Percent.printable(e.getMessage() + ""));
        }
    }

    private void samples() {
        samplesSeen = true;
        if (json.token() != JsonToken.START_ARRAY) {
            throw StrictJson.refusal("samples", "not a list");
        }
        while (json.next() != JsonToken.END_ARRAY) {
            if (entries.size() == BatchRequest.MOST_ENTRIES) {
                throw new TarponException(
                        ProblemType.PAYLOAD_TOO_LARGE,
                        "more than " + BatchRequest.MOST_ENTRIES + " samples; send several batches");
            }
            heap.accept(ENTRY_BYTES);
            entries.add(entry("samples[" + entries.size() + "]"));
        }
    }

    private BatchEntry entry(String place) {
        return switch (json.token()) {
            case VALUE_NUMBER_INT -> new BatchEntry.Ordinal(json.number(place), Set.of());
            case VALUE_STRING -> new BatchEntry.Key(key(place), Set.of());
            case START_OBJECT -> object(place);
            default -> throw StrictJson.refusal(place, "neither an ordinal nor a key nor an object with one of them");
        };
    }

    private BatchEntry object(String place) {
        String key = null;
        var ordinal = -1L;
        Set<String> own = Set.of();
        while (json.next() == JsonToken.FIELD_NAME) {
            var name = json.string();
            var field = place + "." + Percent.printable(name);
            json.next();
            switch (name) {
                case "key" -> key = key(field);
                case "ordinal" -> ordinal = json.number(field);
                case "fields" -> own = fields(field);
                default -> throw StrictJson.refusal(field, "unknown; known: key, ordinal, fields");
            }
        }
        if ((key == null) == (ordinal < 0)) {
            throw StrictJson.refusal(place, "has to have either a key or an ordinal");
        }
        return key == null ? new BatchEntry.Ordinal(ordinal, own) : new BatchEntry.Key(key, own);
    }

    private String key(String field) {
        var key = json.string(field);
        heap.accept(STRING_BYTES + (KeyPolicy.isTarKey(key) ? key.length() : 2L * key.length()));
        return key;
    }

    /// Equal sets are one: most entries that have any have the same.
    private Set<String> fields(String field) {
        if (json.token() != JsonToken.START_ARRAY) {
            throw StrictJson.refusal(field, "not a list of extensions");
        }
        var names = new TreeSet<String>();
        while (json.next() != JsonToken.END_ARRAY) {
            var name = json.string(field);
            if (!KeyPolicy.isFinalExtension(name)) {
                throw StrictJson.refusal(field, "no member can have the extension '" + Percent.printable(name) + "'");
            }
            if (names.add(name) && names.size() > MOST_FIELDS) {
                throw StrictJson.refusal(field, "more than " + MOST_FIELDS + " extensions");
            }
        }
        if (names.isEmpty()) {
            throw StrictJson.refusal(field, "empty; leave it out to have all members");
        }
        var known = fieldSets.get(names);
        if (known == null) {
            heap.accept(SET_BYTES * (1L + names.size()));
            known = names;
            fieldSets.put(names, names);
        }
        return known;
    }

    private static <T> T given(String name, @Nullable T value) {
        if (value == null) {
            throw absent(name);
        }
        return value;
    }

    private static TarponException absent(String name) {
        return StrictJson.refusal(name, "missing; a batch has dataset, version, split and samples");
    }
}

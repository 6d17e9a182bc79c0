package io.tarpon.gateway.target;

import io.tarpon.wire.http.TarponException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The parameters of a query, names and values percent-decoded once: none unknown, none twice, none without a value.
/// The rest is refused as `bad-parameter`, with those that are known.
public final class RawQuery {
    private final Map<String, String> values;

    private RawQuery(Map<String, String> values) {
        this.values = values;
    }

    /// @param query as sent, without its question mark; null or empty where there is none
    /// @param known the names there are
    public static RawQuery parse(@Nullable String query, List<String> known) {
        var values = new HashMap<String, String>();
        if (query != null && !query.isEmpty()) {
            for (var pair : query.split("&", -1)) {
                add(pair, known, values);
            }
        }
        return new RawQuery(values);
    }

    /// The value, never empty.
    public Optional<String> value(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /// A number from 0 on.
    public long number(String name, long otherwise) {
        return value(name).map(text -> CanonicalDecimal.parse(name, text)).orElse(otherwise);
    }

    /// A number within bounds.
    public int number(String name, int least, int most, int otherwise) {
        return value(name)
                .map(text -> CanonicalDecimal.parse(name, text, least, most))
                .orElse(otherwise);
    }

    private static void add(String pair, List<String> known, Map<String, String> values) {
        var equals = pair.indexOf('=');
        var name = Percent.decode(equals < 0 ? pair : pair.substring(0, equals));
        var shown = "'" + Percent.printable(name) + "'";
        if (name.isEmpty()) {
            throw refusal("a query parameter without a name: '" + Percent.printable(pair) + "'", known);
        }
        if (!known.contains(name)) {
            throw refusal("unknown query parameter " + shown, known);
        }
        if (equals < 0 || equals == pair.length() - 1) {
            throw refusal("query parameter " + shown + " has no value; write " + name + "=… or leave it out", known);
        }
        if (values.putIfAbsent(name, Percent.decode(pair.substring(equals + 1))) != null) {
            throw refusal("query parameter " + shown + " is given more than once", known);
        }
    }

    private static TarponException refusal(String what, List<String> known) {
        return TarponException.badParameter(what + "; known: " + (known.isEmpty() ? "none" : String.join(", ", known)));
    }
}

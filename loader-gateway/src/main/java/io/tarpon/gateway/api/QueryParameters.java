package io.tarpon.gateway.api;

import io.tarpon.gateway.target.Percent;
import io.tarpon.wire.http.TarponException;
import jakarta.ws.rs.core.MultivaluedMap;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The query of a request: nothing unknown, nothing twice.
final class QueryParameters {
    private QueryParameters() {}

    /// For what has no parameters.
    static void refuseAll(@Nullable String query) {
        if (query != null && !query.isEmpty()) {
            throw TarponException.badParameter("unknown query parameter '"
                    + Percent.printable(query.split("[=&]", 2)[0]) + "'; there are none here");
        }
    }

    static void allow(MultivaluedMap<String, String> given, Set<String> known) {
        given.forEach((name, values) -> {
            if (!known.contains(name)) {
                throw TarponException.badParameter("unknown query parameter '" + Percent.printable(name) + "'; known: "
                        + (known.isEmpty() ? "none" : String.join(", ", known)));
            }
            if (values.size() > 1) {
                throw TarponException.badParameter("query parameter '" + name + "' is given more than once");
            }
        });
    }

    static Optional<String> one(MultivaluedMap<String, String> given, String name) {
        return Optional.ofNullable(given.getFirst(name));
    }

    /// A canonical decimal between two bounds.
    static int number(MultivaluedMap<String, String> given, String name, int least, int most, int otherwise) {
        var text = one(given, name);
        if (text.isEmpty()) {
            return otherwise;
        }
        if (text.get().matches("0|[1-9][0-9]{0,8}")) {
            var value = Integer.parseInt(text.get());
            if (value >= least && value <= most) {
                return value;
            }
        }
        throw TarponException.badParameter(
                name + " '" + Percent.printable(text.get()) + "' is not a decimal from " + least + " to " + most);
    }
}

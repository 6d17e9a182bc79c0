package io.tarpon.gateway.batch;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.tarpon.gateway.target.Percent;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.function.Function;

/// A JSON document read as a stream; whatever is not as expected is refused as `bad-parameter`, naming the
/// field. A field that comes twice is refused by the parser.
final class StrictJson {
    private final JsonParser parser;

    StrictJson(InputStream in) {
        try {
            this.parser = Json.MAPPER.getFactory().createParser(in);
        } catch (IOException e) {
            throw new UncheckedIOException("bytes at hand cannot be read", e);
        }
    }

    /// The next token; null at the end.
    JsonToken next() {
        try {
            var token = parser.nextToken();
            return token == null ? JsonToken.NOT_AVAILABLE : token;
        } catch (JsonProcessingException e) {
            throw TarponException.badParameter("the body: " + Percent.printable(Json.reason(e)));
        } catch (IOException e) {
            throw new UncheckedIOException("bytes at hand cannot be read", e);
        }
    }

    /// The token that was read last.
    JsonToken token() {
        return parser.currentToken();
    }

    /// The name or the string that was read last.
    String string() {
        try {
            return parser.getText();
        } catch (JsonProcessingException e) {
            throw TarponException.badParameter("the body: " + Percent.printable(Json.reason(e)));
        } catch (IOException e) {
            throw new UncheckedIOException("bytes at hand cannot be read", e);
        }
    }

    /// The string that was read last.
    String string(String field) {
        if (token() != JsonToken.VALUE_STRING) {
            throw refusal(field, "not a string");
        }
        return string();
    }

    /// The string that was read last, as a name.
    <T> T name(String field, Function<String, T> parse) {
        var text = string(field);
        try {
            return parse.apply(text);
        } catch (IllegalArgumentException e) {
            throw refusal(field, Percent.printable(e.getMessage() + ""));
        }
    }

    /// The number that was read last, from 0 to 2^63 - 1.
    long number(String field) {
        var text = string();
        if (token() != JsonToken.VALUE_NUMBER_INT || text.startsWith("-")) {
            throw refusal(field, "not an integer from 0 on");
        }
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException _) {
            throw refusal(field, "not below 2^63");
        }
    }

    static TarponException refusal(String field, String what) {
        return TarponException.badParameter("field '" + field + "' of the body: " + what);
    }
}

package io.tarpon.service.api.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import java.util.stream.Collectors;

/// What is wrong with a JSON body, for whoever wrote it: `body splits[0].shards[3].planSha256: ...`.
final class BodyFlaw {
    private static final int MAX_CHARS = 500;

    private BodyFlaw() {}

    /// With the reason of our own constructor where it has one.
    static String of(JsonProcessingException refused) {
        var path = refused instanceof JsonMappingException mapping
                ? mapping.getPath().stream()
                        .map(step ->
                                step.getFieldName() == null ? "[" + step.getIndex() + "]" : "." + step.getFieldName())
                        .collect(Collectors.joining())
                        .replaceFirst("^\\.", "")
                : "";
        var reason = refused.getCause() instanceof IllegalArgumentException own
                ? String.valueOf(own.getMessage())
                : plain(refused.getOriginalMessage());
        return "body" + (path.isEmpty() ? "" : " " + path) + ": " + cut(reason);
    }

    /// Jackson words what a constructor misses for whoever wrote that; this is for whoever wrote the request.
    private static String plain(String message) {
        return message.replaceFirst("^Missing creator property '([^']*)'.*$", "$1 is missing")
                .replaceFirst("^Invalid `null` value encountered for property \"([^\"]*)\".*$", "$1 must not be null")
                .replaceFirst("^Unrecognized field \"([^\"]*)\".*$", "$1 is unknown");
    }

    private static String cut(String text) {
        var line = text.lines().findFirst().orElse("");
        return line.length() > MAX_CHARS ? line.substring(0, MAX_CHARS) + "…" : line;
    }
}

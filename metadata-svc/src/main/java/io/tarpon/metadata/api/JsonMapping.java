package io.tarpon.metadata.api;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tarpon.wire.json.Json;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/// The JSON of this API: as on the wire, and strict in what it takes. A command with an unknown field would
/// otherwise do less than it says; no command has a field that may be null.
public class JsonMapping {
    @Produces
    @Singleton
    ObjectMapper mapper() {
        return Json.MAPPER
                .copy()
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    }
}

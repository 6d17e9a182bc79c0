package io.tarpon.service.api.rest;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tarpon.wire.json.Json;

/// The JSON of an API: as on the wire, and strict in what it takes. A command with an unknown field would otherwise do
/// less than it says; a field may only be null where its record says so (`@JsonSetter`).
public final class JsonMapping {
    private JsonMapping() {}

    public static ObjectMapper strict() {
        return Json.MAPPER
                .copy()
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .setDefaultSetterInfo(JsonSetter.Value.forValueNulls(Nulls.FAIL));
    }
}

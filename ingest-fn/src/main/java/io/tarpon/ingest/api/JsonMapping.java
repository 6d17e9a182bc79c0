package io.tarpon.ingest.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tarpon.wire.json.Json;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/// The JSON of this API: as on the wire.
public class JsonMapping {
    @Produces
    @Singleton
    ObjectMapper mapper() {
        return Json.MAPPER.copy();
    }
}

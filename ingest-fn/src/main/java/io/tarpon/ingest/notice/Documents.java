package io.tarpon.ingest.notice;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tarpon.wire.json.Json;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// JSON of strangers: UTF-8 without a byte order mark, at most 1 MiB, at most 32 deep, no name twice in an object.
final class Documents {
    static final int MAX_BYTES = 1 << 20;
    static final int MAX_DEPTH = 32;

    private static final ObjectReader READER = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .maxStringLength(MAX_BYTES)
                            .maxNumberLength(64)
                            .maxNameLength(1_024)
                            .build())
                    .build())
            .build()
            .reader()
            .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private Documents() {}

    static JsonNode read(byte[] bytes) throws FlawException {
        if (bytes.length > MAX_BYTES) {
            throw FlawException.broken("the message has " + bytes.length + " bytes, more than " + MAX_BYTES);
        }
        try {
            return read(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            throw FlawException.unknown("the message is not UTF-8");
        }
    }

    static JsonNode read(String text) throws FlawException {
        try {
            var document = READER.readTree(text);
            if (document == null || document.isMissingNode()) {
                throw FlawException.unknown("the message is empty");
            }
            return document;
        } catch (JsonProcessingException e) {
            throw looksLikeJson(text) ? FlawException.broken(Json.reason(e)) : FlawException.unknown(Json.reason(e));
        }
    }

    private static boolean looksLikeJson(String text) {
        var shown = text.stripLeading();
        return !shown.isEmpty() && "{[\"".indexOf(shown.charAt(0)) >= 0;
    }
}

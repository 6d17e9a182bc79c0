package io.tarpon.wire.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// How records become JSON: fields in the order of the record, `null` where something does not apply, times as
/// ISO-8601. What is read is bounded in depth and length; an unknown field in an answer is passed over, so that
/// an older reader understands a newer service.
public final class Json {
    /// Deep enough for every document of ours, shallow enough for a hostile one.
    private static final int MAX_DEPTH = 64;

    private static final int MAX_STRING_CHARS = 1 << 20;
    private static final int MAX_NUMBER_CHARS = 64;

    public static final ObjectMapper MAPPER = configure(JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .maxStringLength(MAX_STRING_CHARS)
                            .maxNumberLength(MAX_NUMBER_CHARS)
                            .build())
                    .build())
            .build());

    private static final Pattern CLASS_NAME = Pattern.compile("(instance|value) of( type)? `[^`]*`");

    private Json() {}

    /// Gives any mapper the conventions of this class.
    public static <M extends ObjectMapper> M configure(M mapper) {
        mapper.registerModule(new JavaTimeModule());
        mapper.disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS);
        mapper.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
        mapper.enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
        mapper.enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES);
        mapper.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
        mapper.disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT);
        return mapper;
    }

    public static byte[] bytes(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a record that has no JSON form: " + value.getClass(), e);
        }
    }

    /// How many bytes [#bytes(Object)] would give, without giving them.
    public static long length(Object value) {
        var counted = new CountedBytes();
        try {
            MAPPER.writeValue(counted, value);
        } catch (IOException e) {
            throw new IllegalStateException("a record that has no JSON form: " + value.getClass(), e);
        }
        return counted.count();
    }

    public static String text(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a record that has no JSON form: " + value.getClass(), e);
        }
    }

    /// Reads one document. Throws with the field or the place and the reason where the bytes are not one.
    public static <T> T read(byte[] bytes, Class<T> type) throws IOException {
        try {
            return MAPPER.readValue(bytes, type);
        } catch (JsonProcessingException e) {
            throw new IOException(reason(e), e);
        }
    }

    /// What is wrong with a document, in words for its sender: no class of ours and none of its bytes.
    public static String reason(JsonProcessingException failure) {
        if (failure instanceof JsonMappingException mapping
                && !mapping.getPath().isEmpty()) {
            var field = mapping.getPath().stream()
                    .map(step -> step.getFieldName() == null ? "[" + step.getIndex() + "]" : step.getFieldName())
                    .collect(Collectors.joining("."));
            return "field '" + field + "': " + cause(failure);
        }
        return cause(failure);
    }

    private static String cause(JsonProcessingException failure) {
        if (failure instanceof ValueInstantiationException && failure.getCause() instanceof RuntimeException refusal) {
            return String.valueOf(refusal.getMessage());
        }
        if (failure instanceof JsonParseException) {
            return "it is not JSON: " + failure.getOriginalMessage();
        }
        return CLASS_NAME.matcher(failure.getOriginalMessage()).replaceAll("a value");
    }
}

package io.tarpon.wire.plan;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;

/// What the writer and the reader of plans share.
final class PlanFormat {
    static final int FORMAT = 1;
    static final String WHAT = "plan";
    static final String MAGIC = "TARPON-PLAN ";

    /// Longer than any key of a source: S3 has 1,024 bytes, a path 4,096.
    static final int MAX_STRING_CHARS = 1 << 16;

    /// The streams belong to the caller. How characters are written is said here, not left to a library's default: the
    /// same plan must have the same bytes in every build.
    static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .disable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(MAX_STRING_CHARS)
                    .maxNestingDepth(4)
                    .maxNumberLength(20)
                    .build())
            .build();

    private PlanFormat() {}
}

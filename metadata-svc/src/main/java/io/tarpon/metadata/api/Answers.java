package io.tarpon.metadata.api;

import io.tarpon.metadata.replica.Versioned;
import org.jboss.resteasy.reactive.RestResponse;

/// Answers that say which revision they were read at.
final class Answers {
    static final String REVISION = "Tarpon-Revision";

    private Answers() {}

    static <T> RestResponse<T> of(Versioned<T> versioned) {
        return RestResponse.ResponseBuilder.ok(versioned.value())
                .header(REVISION, versioned.revision())
                .build();
    }
}

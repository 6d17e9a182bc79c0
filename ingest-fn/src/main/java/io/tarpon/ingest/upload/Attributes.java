package io.tarpon.ingest.upload;

import java.util.Optional;

/// CloudEvents attributes as a protocol binding carries them: `ce-id` in HTTP, `ce_id` in Kafka, decoded.
@FunctionalInterface
public interface Attributes {
    /// The value of the attribute of that name, without the binding's prefix; throws [IllegalArgumentException] where
    /// it cannot be decoded.
    Optional<String> value(String name);
}

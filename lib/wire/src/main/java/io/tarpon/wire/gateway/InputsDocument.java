package io.tarpon.wire.gateway;

import io.tarpon.wire.metadata.Inputs;
import java.util.Map;

/// The inputs of a version: found = members + everything left out.
public record InputsDocument(long found, long members, long renamed, Map<String, Long> leftOut) {
    public static InputsDocument of(Inputs inputs) {
        return new InputsDocument(inputs.found(), inputs.members(), inputs.renamed(), inputs.leftOut());
    }
}

package io.tarpon.ingest;

import io.tarpon.store.ConfiguredObject;
import io.tarpon.wire.DatasetName;
import java.util.Optional;
import java.util.regex.Pattern;

/// How markers are called.
///
/// @param value without a dot, so that it has no extension and never becomes a member
record MarkerName(String value) {
    private static final Pattern SHAPE = Pattern.compile("[^/.\\p{Cc}]{1,100}");

    MarkerName {
        if (!SHAPE.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "tarpon.ingest.marker '" + value + "' is not 1 to 100 characters without '/' and '.'");
        }
    }

    /// The name of the folder that the object is the marker of, whatever that name is: the folder lies directly in
    /// the source. Empty for every other object.
    Optional<String> folderOf(ConfiguredObject object) {
        var key = object.key();
        int slash = key.indexOf('/');
        boolean isMarker = slash >= 0
                && key.indexOf('/', slash + 1) < 0
                && key.substring(slash + 1).equals(value);
        return isMarker ? Optional.of(key.substring(0, slash)) : Optional.empty();
    }

    /// The marker of a dataset in a source.
    Marker of(String source, DatasetName dataset) {
        return new Marker(new ConfiguredObject(source, dataset + "/" + value), dataset);
    }
}

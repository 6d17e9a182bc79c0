package io.tarpon.ingest;

import io.tarpon.store.ObjectSource;
import io.tarpon.store.UnknownSourceException;
import java.io.IOException;

/// Opens what a source reference names, as far as configuration allows.
interface SourceOpener {
    /// @throws UnknownSourceException when configuration does not allow it; nothing was opened or dialled
    ObjectSource open(String reference) throws IOException;

    /// The one spelling of a reference: other spellings must not make other plans.
    String normalise(String reference) throws IOException;
}

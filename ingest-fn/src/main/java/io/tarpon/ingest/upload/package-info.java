/// Owns how a request to make a dataset version is read, whichever way it came.
@NullMarked
package io.tarpon.ingest.upload;

import org.jspecify.annotations.NullMarked;

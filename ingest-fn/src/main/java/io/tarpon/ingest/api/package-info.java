/// Owns ingest-fn's HTTP face: `POST /`, dead letters, and how errors are answered.
@NullMarked
package io.tarpon.ingest.api;

import org.jspecify.annotations.NullMarked;

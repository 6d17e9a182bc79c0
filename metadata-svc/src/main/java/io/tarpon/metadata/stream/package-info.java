/// Committed changes on `tarpon.events`, each exactly once.
@NullMarked
package io.tarpon.metadata.stream;

import org.jspecify.annotations.NullMarked;

/// A store that fails where a test orders it.
@NullMarked
package io.tarpon.storekit;

import org.jspecify.annotations.NullMarked;

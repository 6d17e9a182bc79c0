/// Owns policy `k1`: how a source key becomes a sample key, an extension and a tar member name.
@NullMarked
package io.tarpon.wire.key;

import org.jspecify.annotations.NullMarked;

/// A TCP proxy that makes a network slow, narrow or broken, for tests and benches.
@NullMarked
package io.tarpon.servers.link;

import org.jspecify.annotations.NullMarked;

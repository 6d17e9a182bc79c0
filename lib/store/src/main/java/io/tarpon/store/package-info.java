/// The two storage ports, raw data in ([io.tarpon.store.ObjectSource]) and ours ([io.tarpon.store.ObjectStore]),
/// and the choice of an adapter from configuration.
@NullMarked
package io.tarpon.store;

import org.jspecify.annotations.NullMarked;

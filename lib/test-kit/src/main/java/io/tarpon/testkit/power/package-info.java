/// A disk whose power can be cut: what was not forced may be lost. `kill -9` does not show that, for the kernel goes
/// on.
@NullMarked
package io.tarpon.testkit.power;

import org.jspecify.annotations.NullMarked;

/// A cluster under random trouble: what is done to it, what its readers see, and what must hold in the end.
@NullMarked
package io.tarpon.chaos;

import org.jspecify.annotations.NullMarked;

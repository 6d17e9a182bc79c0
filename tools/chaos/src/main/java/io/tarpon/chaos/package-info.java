/// Trouble, and what must hold.
@NullMarked
package io.tarpon.chaos;

import org.jspecify.annotations.NullMarked;

/// The whole system as operating-system processes, driven as a user drives it.
@NullMarked
package io.tarpon.system;

import org.jspecify.annotations.NullMarked;

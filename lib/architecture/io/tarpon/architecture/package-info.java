/// The shape every module keeps, checked in every module's own tests.
@NullMarked
package io.tarpon.architecture;

import org.jspecify.annotations.NullMarked;

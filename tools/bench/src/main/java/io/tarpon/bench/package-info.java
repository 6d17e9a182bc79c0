/// `tarpon bench`: figures of the product beside a reference measured in the same run.
@NullMarked
package io.tarpon.bench;

import org.jspecify.annotations.NullMarked;

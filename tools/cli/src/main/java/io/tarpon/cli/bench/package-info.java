/// `tarpon bench`: figures of the product beside a reference measured in the same run.
@NullMarked
package io.tarpon.cli.bench;

import org.jspecify.annotations.NullMarked;

/// What several modules' tests start and break.
@NullMarked
package io.tarpon.testkit;

import org.jspecify.annotations.NullMarked;

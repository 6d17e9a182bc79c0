/// What several modules' tests start, wait for and break. Depends on nothing of ours, so that every module may take it.
@NullMarked
package io.tarpon.testkit;

import org.jspecify.annotations.NullMarked;

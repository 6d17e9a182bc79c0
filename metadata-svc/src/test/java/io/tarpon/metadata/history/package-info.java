/// Histories of calls that overlap, and whether one order of them explains every answer.
@NullMarked
package io.tarpon.metadata.history;

import org.jspecify.annotations.NullMarked;

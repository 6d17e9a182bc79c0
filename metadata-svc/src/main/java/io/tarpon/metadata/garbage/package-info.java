/// What removed versions leave behind, who still needs it, and how the rest is deleted.
@NullMarked
package io.tarpon.metadata.garbage;

import org.jspecify.annotations.NullMarked;

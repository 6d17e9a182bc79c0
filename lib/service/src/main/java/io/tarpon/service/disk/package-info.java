/// Owns the files that every service reads: the write token's.
@NullMarked
package io.tarpon.service.disk;

import org.jspecify.annotations.NullMarked;

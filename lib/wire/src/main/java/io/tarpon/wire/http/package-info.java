/// What every HTTP listener agrees on: problems, ranges, preconditions, the write token, framing.
@NullMarked
package io.tarpon.wire.http;

import org.jspecify.annotations.NullMarked;

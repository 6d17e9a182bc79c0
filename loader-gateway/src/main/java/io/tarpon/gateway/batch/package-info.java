/// Owns batches: what the body of a request says, which samples it means, what becomes of those that are missing, and
/// the tar that answers it.
@NullMarked
package io.tarpon.gateway.batch;

import org.jspecify.annotations.NullMarked;

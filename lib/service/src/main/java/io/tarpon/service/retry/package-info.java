/// Owns how trouble that may pass is waited out: what is tried again, after which pauses, and what is waited for now.
@NullMarked
package io.tarpon.service.retry;

import org.jspecify.annotations.NullMarked;

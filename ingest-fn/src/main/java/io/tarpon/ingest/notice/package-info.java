/// Owns what object stores say about uploads: the dialects of their notifications, in one form. Pure.
@NullMarked
package io.tarpon.ingest.notice;

import org.jspecify.annotations.NullMarked;

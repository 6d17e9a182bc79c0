/// Owns what every service does at its HTTP door: which requests it refuses unread, and how refusals look.
@NullMarked
package io.tarpon.service.api;

import org.jspecify.annotations.NullMarked;

/// What every service has at its door.
@NullMarked
package io.tarpon.service;

import org.jspecify.annotations.NullMarked;

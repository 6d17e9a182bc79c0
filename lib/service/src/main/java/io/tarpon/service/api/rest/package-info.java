/// Owns how services with JAX-RS resources read JSON and answer errors. Its classes are loaded only where JAX-RS is.
@NullMarked
package io.tarpon.service.api.rest;

import org.jspecify.annotations.NullMarked;

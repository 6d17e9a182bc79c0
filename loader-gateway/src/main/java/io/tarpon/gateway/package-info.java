/// What loaders talk to.
@NullMarked
package io.tarpon.gateway;

import org.jspecify.annotations.NullMarked;

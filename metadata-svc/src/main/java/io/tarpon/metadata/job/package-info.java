/// What is done with a metadata log while no service has it.
@NullMarked
package io.tarpon.metadata.job;

import org.jspecify.annotations.NullMarked;

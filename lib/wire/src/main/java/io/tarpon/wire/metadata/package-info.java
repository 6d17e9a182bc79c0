/// What metadata-svc is asked and answers: commands and records of its REST API.
@NullMarked
package io.tarpon.wire.metadata;

import org.jspecify.annotations.NullMarked;

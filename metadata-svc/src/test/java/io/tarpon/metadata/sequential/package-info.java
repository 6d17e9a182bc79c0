/// What metadata-svc does that is asked one thing after the other, told once more for tests and without its log, guards
/// and replicas: what a recorded history is held against.
@NullMarked
package io.tarpon.metadata.sequential;

import org.jspecify.annotations.NullMarked;

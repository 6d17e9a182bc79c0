/// How many replicas KEDA and the HorizontalPodAutoscaler make of what triggers say, told from numbers alone: no broker
/// is asked and no clock is read.
@NullMarked
package io.tarpon.k8s.scaler;

import org.jspecify.annotations.NullMarked;

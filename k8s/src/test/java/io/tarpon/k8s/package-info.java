/// What the Kubernetes manifests must be, told from what kustomize renders of them and from the services'
/// own sources: no cluster is asked.
@NullMarked
package io.tarpon.k8s;

import org.jspecify.annotations.NullMarked;

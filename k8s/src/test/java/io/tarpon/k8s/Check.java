package io.tarpon.k8s;

import java.util.List;

/// One concern of the manifests.
interface Check {
    /// What is wrong, each a sentence that begins with the object: `Deployment/shard-fn: ...`. Empty where nothing is.
    List<String> findings(Manifests manifests);

    String name();
}

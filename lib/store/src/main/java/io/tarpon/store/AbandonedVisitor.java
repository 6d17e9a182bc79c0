package io.tarpon.store;

import java.io.IOException;

/// Takes what [ObjectStore#abandoned] finds, one by one.
@FunctionalInterface
public interface AbandonedVisitor {
    void visit(AbandonedUpload upload) throws IOException;
}

package io.tarpon.store;

import java.io.IOException;

/// Takes the objects of a listing, one at a time, in key order.
@FunctionalInterface
public interface StoreVisitor {
    /// An exception ends the listing and reaches its caller.
    void visit(StoredObject object) throws IOException;
}

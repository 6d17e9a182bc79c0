package io.tarpon.metadata.image;

class HeapStoreTest extends ImageStoreContract {
    @Override
    protected ImageStore open() {
        return new HeapStore();
    }

    @Override
    protected ImageStore crashed(ImageStore store) {
        return ((HeapStore) store).copy();
    }
}

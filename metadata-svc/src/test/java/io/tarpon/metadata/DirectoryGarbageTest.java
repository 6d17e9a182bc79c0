package io.tarpon.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.store.ObjectStore;
import io.tarpon.store.directory.DirectoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryGarbageTest extends GarbageContract {
    @Override
    ObjectStore open(Path folder) throws IOException {
        return DirectoryStore.open(folder);
    }

    @Test
    void halfDoneUploadsAreCountedAndThrownAway(@TempDir Path folder) throws Exception {
        try (var world = new GarbageWorld(folder, open(folder.resolve("store")));
                var upload = world.store.upload("datasets/demo/v1/train/shard-000000.tar")) {
            upload.write(ByteBuffer.allocate(100));
            var dry = world.garbage().collect(true, null);
            var wet = world.garbage().collect(false, null);
            assertThat(dry.uploads()).isEqualTo(1);
            assertThat(wet.uploads()).isEqualTo(1);
            assertThat(world.garbage().collect(false, null).uploads()).isZero();
        }
    }
}

package io.tarpon.metadata.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.metadata.image.HeapStore;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.ImageStore;
import io.tarpon.metadata.image.ImageStoreContract;
import io.tarpon.metadata.image.ImageStoreException;
import io.tarpon.metadata.image.RandomHistory;
import io.tarpon.metadata.image.SavedImage;
import io.tarpon.metadata.image.StoredImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocksViewTest extends ImageStoreContract {
    private static final long CACHE_BYTES = 1 << 20;
    private static final byte[] COUNTERS = {'c'};

    @TempDir
    Path temp;

    @Override
    protected RocksView open() throws IOException {
        return RocksView.open(temp.resolve("view"), Files.createDirectories(temp.resolve("lib")), CACHE_BYTES);
    }

    @Override
    protected ImageStore crashed(ImageStore store) throws IOException {
        store.close();
        return open();
    }

    @Test
    void aViewOfAnotherFormatIsMadeAnew() throws IOException {
        try (var view = open()) {
            view.put(COUNTERS, "{\"format\":999}".getBytes(StandardCharsets.UTF_8));
            view.put(new byte[] {'d'}, new byte[] {1});
            view.commit();
            assertThat(StoredImage.format(view)).isEqualTo(999);
        }
        try (var view = open()) {
            assertThat(StoredImage.format(view)).isZero();
            assertThat(view.get(new byte[] {'d'})).isNull();
            view.put(new byte[] {'d'}, new byte[] {2});
            view.commit();
        }
        try (var view = open()) {
            assertThat(view.get(new byte[] {'d'})).isEqualTo(new byte[] {2});
        }
    }

    /// RocksDB would read freed memory.
    @Test
    void whatIsFrozenIsGoneOnceTheViewIsClosed() throws IOException {
        var view = open();
        for (int i = 0; i < 3_000; i++) {
            view.put(ByteBuffer.allocate(4).putInt(i).array(), new byte[10]);
        }
        view.commit();
        var frozen = view.freeze();
        var visited = new AtomicInteger();
        assertThatThrownBy(() -> frozen.scan((_, _) -> {
                    if (visited.incrementAndGet() == 500) {
                        view.close();
                    }
                    return true;
                }))
                .isInstanceOf(ImageStoreException.class)
                .hasMessageContaining("opened anew, or closed");
        assertThat(visited).hasValueBetween(500, 2_000);
        assertThatThrownBy(() -> frozen.get(new byte[] {0})).isInstanceOf(ImageStoreException.class);
        frozen.close();
    }

    @Test
    void aViewThatIsHalfFilledIsMadeAnew() throws IOException {
        HeapStore filled;
        try (var view = open()) {
            filled = copy(image(view, 1, 300).saved());
        }
        for (int parts = 0; parts < 40; parts += 7) {
            try (var view = open()) {
                var image = image(view, 2, 100);
                var refill = image.refill();
                assertThat(image.revision()).isZero();
                var left = new int[] {parts};
                filled.freeze().scan((key, value) -> {
                    refill.put(key, value);
                    return left[0]-- > 0;
                });
                // What the batches of a larger one do now and then.
                view.commit();
            }
            try (var view = open()) {
                assertThat(StoredImage.format(view)).isZero();
                view.freeze().scan((key, _) -> {
                    throw new AssertionError("something is left: " + key[0]);
                });
            }
        }
    }

    @Test
    void aFilledViewIsTheImageThatItWasFilledWith() throws IOException {
        var other = new HeapStore();
        var expected = image(other, 1, 300);
        try (var view = open()) {
            var image = image(view, 2, 100);
            // Of something that was not saved.
            view.put(new byte[] {'d', 'x'}, new byte[] {1});
            var refill = image.refill();
            other.freeze().scan((key, value) -> {
                refill.put(key, value);
                return true;
            });
            assertThat(refill.revision()).isEqualTo(expected.revision());
            refill.finish();
            assertThat(image.digest()).isEqualTo(expected.digest());
            assertThat(image.revision()).isEqualTo(expected.revision());
        }
        try (var view = open()) {
            var image = new Image(view);
            assertThat(image.digest()).isEqualTo(expected.digest());
            assertThat(image.outbox().after(0, Integer.MAX_VALUE))
                    .isEqualTo(expected.outbox().after(0, Integer.MAX_VALUE));
        }
    }

    private static Image image(ImageStore store, long seed, int commands) {
        var image = new Image(store);
        if (image.revision() == 0) {
            RandomHistory.of(seed, commands).forEach(image::replay);
            image.save();
        }
        return image;
    }

    private static HeapStore copy(SavedImage saved) {
        var copy = new HeapStore();
        saved.scan((key, value) -> {
            copy.put(key, value);
            return true;
        });
        copy.commit();
        saved.close();
        return copy;
    }

    @Test
    void aDamagedViewSaysWhatToDo() throws IOException {
        open().close();
        try (var files = Files.list(temp.resolve("view"))) {
            for (var file : files.filter(each -> each.getFileName().toString().startsWith("MANIFEST"))
                    .toList()) {
                Files.writeString(file, "nothing that RocksDB knows");
            }
        }
        assertThatThrownBy(this::open)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(temp.resolve("view").toString())
                .hasMessageContaining("delete that folder");
    }
}

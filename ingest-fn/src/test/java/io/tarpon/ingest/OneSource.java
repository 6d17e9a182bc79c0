package io.tarpon.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.store.ObjectSource;
import io.tarpon.store.SourceObject;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One source, `photos`, that can fail and can tell when it is listed.
final class OneSource implements SourceOpener {
    /// A hundred samples of two files.
    static final List<SourceObject> HUNDRED = IntStream.range(0, 100)
            .boxed()
            .flatMap(i -> Stream.of(file("c/i%03d.cls".formatted(i)), file("c/i%03d.jpg".formatted(i))))
            .toList();

    List<SourceObject> objects;
    Runnable whenListed = () -> {};

    @Nullable
    IOException failure;

    OneSource(List<SourceObject> objects) {
        this.objects = objects;
    }

    static SourceObject file(String key) {
        return SourceObject.file(key, 700, "e");
    }

    @Override
    public ObjectSource open(String reference) throws IOException {
        assertThat(reference).isEqualTo(failure == null ? "photos" : "photos/");
        fail();
        whenListed.run();
        return new GeneratedSource(objects);
    }

    @Override
    public String normalise(String reference) throws IOException {
        fail();
        return reference.replace("/", "");
    }

    private void fail() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }
}

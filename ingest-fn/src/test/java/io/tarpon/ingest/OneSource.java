package io.tarpon.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.store.ObjectSource;
import io.tarpon.store.SourceObject;
import io.tarpon.store.SourceVisitor;
import java.io.IOException;
import java.util.List;
import java.util.function.IntConsumer;
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

    /// Instead of the objects.
    @Nullable
    GeneratedSource generated;

    int breaksEvery;
    int breaks;
    int visited;
    IntConsumer whenVisited = _ -> {};

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
        return new Breaking(generated == null ? new GeneratedSource(objects) : generated);
    }

    /// Breaks off as often as it is to, with what may pass.
    private final class Breaking extends ListedOnly {
        private final ObjectSource listed;

        Breaking(ObjectSource listed) {
            this.listed = listed;
        }

        @Override
        public void list(SourceVisitor visitor) throws IOException {
            listAfter("", visitor);
        }

        @Override
        public void listAfter(String key, SourceVisitor visitor) throws IOException {
            listed.listAfter(key, object -> {
                if (breaksEvery > 0 && visited >= (breaks + 1) * breaksEvery) {
                    breaks++;
                    throw new IOException("the listing broke off");
                }
                visitor.visit(object);
                visited++;
                whenVisited.accept(visited);
            });
        }
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

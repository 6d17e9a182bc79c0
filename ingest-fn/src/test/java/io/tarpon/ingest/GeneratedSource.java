package io.tarpon.ingest;

import io.tarpon.store.SourceObject;
import io.tarpon.store.SourceVisitor;
import java.io.IOException;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A source that only exists as a listing.
final class GeneratedSource extends ListedOnly {
    private final Iterable<SourceObject> objects;

    GeneratedSource(Iterable<SourceObject> objects) {
        this.objects = objects;
    }

    static GeneratedSource of(Stream<SourceObject> objects) {
        return new GeneratedSource(objects.toList());
    }

    /// Two files a sample, in folders of ten thousand samples, as a listing of a labelled image set has them. Nothing
    /// is kept.
    static GeneratedSource images(long objects) {
        return images(objects, _ -> "");
    }

    /// A year later: a tenth more samples; one in 50,000 is another image, one in 60,000 is gone.
    static GeneratedSource grownImages(long objects) {
        return images(objects + objects / 20 * 2, sample -> {
            if (sample % 60_000 == 11) {
                return null;
            }
            return sample % 50_000 == 7 ? "-changed" : "";
        });
    }

    /// The same names, and another image under each.
    static GeneratedSource otherImages(long objects) {
        return images(objects, _ -> "-changed");
    }

    /// @param etagEnds what the ETags of a sample end in, by its number; null where it is not there
    private static GeneratedSource images(long objects, LongFunction<@Nullable String> etagEnds) {
        return new GeneratedSource(() -> LongStream.range(0, objects)
                .filter(i -> etagEnds.apply(i / 2) != null)
                .mapToObj(i -> {
                    long sample = i / 2;
                    boolean label = i % 2 == 0;
                    var key = String.format("class-%05d/image_%09d.%s", sample / 10_000, sample, label ? "cls" : "jpg");
                    return SourceObject.file(
                            key,
                            label ? 3 : 90_000 + sample * 7919 % 60_000,
                            Long.toHexString(i * 0x9e3779b97f4a7c15L) + etagEnds.apply(sample));
                })
                .iterator());
    }

    @Override
    public void list(SourceVisitor visitor) throws IOException {
        for (var object : objects) {
            visitor.visit(object);
        }
    }
}

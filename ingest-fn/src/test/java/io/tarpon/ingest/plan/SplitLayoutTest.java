package io.tarpon.ingest.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.store.SourceObject;
import io.tarpon.wire.key.LeftOutReason;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SplitLayoutTest {
    @Test
    void foldersNamedLikeSplitsAreTheSplits() {
        var layout = auto("train/a.jpg", "val/b.jpg", "top.jpg", "README");
        assertThat(names(layout)).containsExactly("train", "val");
        assertThat(layout.classify(file("val/x/b.jpg"))).isEqualTo(new Classified.Member(1, "x/b", "jpg", "jpg"));
        assertThat(layout.folder(1)).isEqualTo("val/");
        assertThat(reason(layout, "top.jpg")).isEqualTo(LeftOutReason.OUTSIDE_SPLITS);
        assertThat(reason(layout, "README")).isEqualTo(LeftOutReason.OUTSIDE_SPLITS);
        assertThat(reason(layout, "_SUCCESS")).isEqualTo(LeftOutReason.MARKER);
        assertThat(reason(layout, "train/noext")).isEqualTo(LeftOutReason.NO_EXTENSION);
        assertThat(reason(layout, "docs/notes")).isEqualTo(LeftOutReason.NO_EXTENSION);
    }

    @Test
    void oneOtherFolderWithAMemberMakesEverythingTrain() {
        var layout = auto("train/a.jpg", "val/b.jpg", "labels/c.json");
        assertThat(names(layout)).containsExactly("train");
        assertThat(layout.classify(file("val/b.jpg"))).isEqualTo(new Classified.Member(0, "val/b", "jpg", "jpg"));
        assertThat(layout.classify(file("top.jpg"))).isEqualTo(new Classified.Member(0, "top", "jpg", "jpg"));
    }

    @Test
    void foldersWithoutAMemberDoNotCount() {
        assertThat(names(auto("train/a.jpg", "docs/README", ".git/config.txt", "test/.keep")))
                .containsExactly("train");
        var big = SourceObject.file("extra/big.bin", 8L << 30, "e");
        var link = SourceObject.notRegular("links/a.jpg");
        assertThat(names(auto(Stream.of(file("train/a.jpg"), big, link)))).containsExactly("train");
        assertThat(auto(Stream.of(file("train/a.jpg"), big)).folder(0)).isEqualTo("train/");
    }

    @Test
    void noFolderAtAllIsTrain() {
        var layout = auto("a.jpg", "b.jpg");
        assertThat(names(layout)).containsExactly("train");
        assertThat(layout.folder(0)).isEmpty();
        assertThat(layout.classify(file("a.tar.gz"))).isEqualTo(new Classified.Member(0, "a", "tar.gz", "tar.gz"));
    }

    @Test
    void noneKeepsFoldersInTheKey() {
        var layout = SplitLayout.of(new SplitRule.None(), folders(Stream.of(file("train/a.jpg"))));
        assertThat(layout.classify(file("train/a.jpg"))).isEqualTo(new Classified.Member(0, "train/a", "jpg", "jpg"));
    }

    @Test
    void sharesComeOutAsAskedAndAWiderShareMovesNothingOutOfIt() {
        var before = SplitLayout.of(SplitRule.parse("train=0.8,val=0.2"), new TopFolders());
        var counts = new HashMap<Integer, Integer>();
        for (int i = 0; i < 20_000; i++) {
            counts.merge(split(before, "image_" + i + ".jpg"), 1, Integer::sum);
            assertThat(split(before, "image_" + i + ".cls")).isEqualTo(split(before, "image_" + i + ".jpg"));
        }
        assertThat(counts.get(0)).isBetween(15_700, 16_300);
        var after = SplitLayout.of(SplitRule.parse("train=0.9,val=0.1"), new TopFolders());
        for (int i = 0; i < 20_000; i++) {
            if (split(before, "image_" + i + ".jpg") == 0) {
                assertThat(split(after, "image_" + i + ".jpg")).isZero();
            }
        }
    }

    @Test
    void kindAndSizeDecideBeforeNames() {
        var layout = auto("a.jpg");
        assertThat(layout.classify(SourceObject.undecodable("b?.jpg")))
                .isEqualTo(new Classified.LeftOut(LeftOutReason.UNDECODABLE_NAME));
        assertThat(layout.classify(SourceObject.notRegular("_SUCCESS")))
                .isEqualTo(new Classified.LeftOut(LeftOutReason.NOT_A_REGULAR_FILE));
        assertThat(layout.classify(SourceObject.file("b.bin", 8L << 30, "e")))
                .isEqualTo(new Classified.LeftOut(LeftOutReason.TOO_LARGE));
        assertThat(layout.classify(SourceObject.file("b.bin", (8L << 30) - 1, "e")))
                .isInstanceOf(Classified.Member.class);
    }

    private static List<String> names(SplitLayout layout) {
        return layout.splits().stream().map(Object::toString).toList();
    }

    private static int split(SplitLayout layout, String key) {
        return ((Classified.Member) layout.classify(file(key))).split();
    }

    private static LeftOutReason reason(SplitLayout layout, String key) {
        return ((Classified.LeftOut) layout.classify(file(key))).reason();
    }

    private static SplitLayout auto(String... keys) {
        return auto(Stream.of(keys).map(SplitLayoutTest::file));
    }

    private static SplitLayout auto(Stream<SourceObject> objects) {
        return SplitLayout.of(new SplitRule.Auto(), folders(objects));
    }

    private static TopFolders folders(Stream<SourceObject> objects) {
        var folders = new TopFolders();
        objects.forEach(folders::see);
        return folders;
    }

    private static SourceObject file(String key) {
        return SourceObject.file(key, 1, "e");
    }
}

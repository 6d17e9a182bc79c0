package io.tarpon.wire.gateway;

import io.tarpon.wire.GoldenFiles;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EpochDocumentTest {
    private static final String RANK = "http://127.0.0.1:7070/e/demo/v1/train/7/0/1of4";

    @Test
    void theWorkersOfARankHaveAPattern() throws IOException {
        var urls = List.of(RANK + "/0of2.tar?start=64&batch=8", RANK + "/1of2.tar?start=64&batch=8");
        GoldenFiles.check("document-epoch.json", document(urls, RANK + "/{0..1}of2.tar?start=64&batch=8"));
    }

    @Test
    void piecesHaveNone() throws IOException {
        var urls = List.of(RANK + ".tar?start=64&count=32&batch=8", RANK + ".tar?start=96&count=904&batch=8");
        GoldenFiles.check("document-epoch-pieces.json", document(urls, null));
    }

    @Test
    void aPositionNamesItsSampleAndWhatItWasMadeOf() throws IOException {
        var sources = List.of(
                new PositionLine.Source("a/b.cls", "\"1-16f\""), new PositionLine.Source("a/b.jpg", "\"2-16f\""));
        GoldenFiles.check("document-position-line.json", new PositionLine(17, 4_711, "a/b", "shard-000002", sources));
    }

    private static EpochDocument document(List<String> urls, @Nullable String pattern) {
        return new EpochDocument("demo", "v1", "train", 7, 0, 4, 1, "p1", 64, 992, 232, 1_000_000, urls, pattern);
    }
}

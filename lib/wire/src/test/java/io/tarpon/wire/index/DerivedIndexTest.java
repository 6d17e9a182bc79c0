package io.tarpon.wire.index;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.wire.json.Json;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class DerivedIndexTest {
    @Test
    void daliIndexOfTheReferenceArchiveIsTheReferenceText() {
        assertThat(new String(DaliIndex.render(TestShard.canon().index()), US_ASCII))
                .isEqualTo("v1.2 1\njson 512 7 000000.json txt 1536 6 000000.txt\n");
    }

    @Test
    void widsIndexHasTheFieldsThatWidsReads() throws IOException {
        Wids wids = Wids.of(
                "demo-v1-train",
                "http://127.0.0.1:7070/d/demo/v1/train/",
                List.of(new Wids.WidsShard("shard-000000.tar", 2048, 268435456)));
        String text = "{\"__kind__\":\"wids-shard-index-v1\",\"wids_version\":1,\"name\":\"demo-v1-train\","
                + "\"base\":\"http://127.0.0.1:7070/d/demo/v1/train/\","
                + "\"shardlist\":[{\"url\":\"shard-000000.tar\",\"nsamples\":2048,\"filesize\":268435456}]}";
        assertThat(Json.text(wids)).isEqualTo(text);
        assertThat(Json.MAPPER.readValue(text, Wids.class)).isEqualTo(wids);
    }
}

package io.tarpon.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.gateway.fixture.LargeSplit;
import io.tarpon.gateway.fixture.MetadataDouble;
import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.client.MetadataClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Lists that metadata-svc gives in more pages than the gateway's reader asks for.
class DocumentsTest {
    private static final DatasetName DATASET = new DatasetName("large");
    private static final int SHARDS = 2_500;

    @TempDir
    Path folder;

    @Test
    void aPageHasAsManyShardsAsWereAskedForHoweverFewMetadataGivesAtATime() throws IOException {
        var store = DirectoryStore.open(folder);
        var split = new LargeSplit(store, DATASET.value(), SHARDS, 3);
        try (var metadata = new MetadataDouble();
                var client = MetadataClient.readOnly(metadata.url())) {
            metadata.put(split.version());
            var name = DATASET + "/" + split.version().version() + "/" + split.split();
            metadata.put(name, IntStream.range(0, SHARDS).mapToObj(split::shard).toList());
            var documents = new Documents(client, store);

            var page = documents.shards(
                    DATASET, Optional.of(split.version().version()), split.split(), Optional.empty(), 2_200, "");
            assertThat(page.shards()).hasSize(2_200).doesNotHaveDuplicates();
            assertThat(page.next()).isEqualTo(new ShardName(2_199).toString());

            var rest = documents.shards(
                    DATASET, Optional.empty(), split.split(), Optional.of(new ShardName(2_199)), 2_200, "");
            assertThat(rest.shards()).hasSize(300);
            assertThat(rest.shards().getFirst().name()).isEqualTo(new ShardName(2_200).toString());
            assertThat(rest.next()).isNull();
        }
    }
}

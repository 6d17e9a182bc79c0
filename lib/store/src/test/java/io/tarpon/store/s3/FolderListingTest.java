package io.tarpon.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.store.ObjectStamp;
import io.tarpon.testkit.S3ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;

/// What a source says about folders and markers without listing what lies in them.
@Timeout(120)
class FolderListingTest {
    @TempDir
    static Path data;

    private static S3ServerProcess server;

    @BeforeAll
    static void start() throws IOException {
        server = S3ServerProcess.start(data);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void foldersBelowThePrefixAreNamedOnceAndInOrder() throws Exception {
        try (var bucket = Bucket.open("test", TestS3Config.of(server, "few/in/"))) {
            for (var key : List.of("b/1/x.jpg", "b/2/y.jpg", "a b/_SUCCESS", "top.txt", "c/_SUCCESS")) {
                put(bucket, key);
            }
            put(bucket.at("few/in/"), "deeper/down/below.jpg");
            var source = new S3Source(bucket);
            assertThat(source.folders("", 10)).containsExactly("a b", "b", "c", "deeper");
            assertThat(source.folders("", 2)).containsExactly("a b", "b");
            assertThat(source.folders("", 0)).isEmpty();
            assertThat(source.folders("b", 10)).containsExactly("c", "deeper");
            assertThat(source.folders("a b", 1)).containsExactly("b");
            assertThat(source.folders("bb", 1)).containsExactly("c");
            assertThat(source.folders("deeper", 10)).isEmpty();
        }
        try (var nothing = Bucket.open("test", TestS3Config.of(server, "nothing/"))) {
            assertThat(new S3Source(nothing).folders("", 10)).isEmpty();
        }
    }

    @Test
    void moreFoldersThanAPageHoldsAreAllNamed() throws Exception {
        try (var bucket = Bucket.open("test", TestS3Config.of(server, "many/"));
                var pool = Executors.newFixedThreadPool(8)) {
            var puts = IntStream.range(0, 1_100)
                    .mapToObj(i -> pool.submit(() -> put(bucket, "f%04d/_SUCCESS".formatted(i))))
                    .toList();
            for (var put : puts) {
                put.get();
            }
            assertThat(new S3Source(bucket).folders("", 5_000)).hasSize(1_100).isSorted();
        }
    }

    @Test
    void aStampTellsWhenAnObjectWasWritten() throws Exception {
        try (var bucket = Bucket.open("test", TestS3Config.of(server, "stamp/"))) {
            var source = new S3Source(bucket);
            assertThat(source.stamp("birds/_SUCCESS")).isEmpty();
            assertThat(source.stamp("birds/")).isEmpty();
            assertThat(source.stamp("")).isEmpty();
            put(bucket, "birds/_SUCCESS");
            ObjectStamp stamp = source.stamp("birds/_SUCCESS").orElseThrow();
            assertThat(stamp.etag()).isEqualTo("d41d8cd98f00b204e9800998ecf8427e");
            assertThat(stamp.versionId()).isNull();
            assertThat(Duration.between(stamp.modified(), Instant.now()).abs()).isLessThan(Duration.ofMinutes(1));
            assertThat(source.stamp("birds/_SUCCESS")).contains(stamp);
        }
    }

    @Test
    void aBucketThatIsNotThereIsAnError() {
        try (var bucket = Bucket.open("test", TestS3Config.ofBucket(server, "no-such-bucket"))) {
            var source = new S3Source(bucket);
            assertThatThrownBy(() -> source.folders("", 1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no-such-bucket");
            assertThatThrownBy(() -> source.stamp("k"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no-such-bucket");
        }
    }

    private static Void put(Bucket bucket, String key) {
        bucket.client()
                .putObject(
                        request -> request.bucket(bucket.name()).key(bucket.objectKey(key)),
                        RequestBody.fromBytes(new byte[0]));
        return null;
    }
}

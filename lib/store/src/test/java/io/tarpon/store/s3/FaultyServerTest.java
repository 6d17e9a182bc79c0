package io.tarpon.store.s3;

import static io.tarpon.store.s3.FaultyServer.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tarpon.store.NoSuchObjectException;
import io.tarpon.store.RefusedException;
import io.tarpon.store.SourceChangedException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Servers that lie, break off or say nothing.
@Timeout(60)
class FaultyServerTest {
    private static final String TEN = "Content-Length: 10\r\nETag: \"tag\"\r\n";

    @Test
    void aBodyThatBreaksOffIsTakenUpAtTheSameByte() throws Exception {
        try (var server = new FaultyServer(
                        answer("200 OK", TEN, "01234"),
                        answer(
                                "206 Partial Content",
                                "Content-Length: 5\r\nContent-Range: bytes 5-9/10\r\nETag: \"tag\"\r\n",
                                "56789"));
                var bucket = server.bucket()) {
            assertThat(read(bucket)).asString().isEqualTo("0123456789");
            assertThat(server.requests().getLast()).contains("range: bytes=5-").contains("if-match: \"tag\"");
        }
    }

    @Test
    void aBodyThatAlwaysBreaksOffIsAnErrorAndNotAShortObject() throws Exception {
        try (var server = new FaultyServer(answer("200 OK", TEN, ""));
                var bucket = server.bucket()) {
            assertThatThrownBy(() -> read(bucket))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("a/key")
                    .hasMessageContaining("byte 0 of 10");
        }
    }

    @Test
    void anObjectReplacedBetweenTwoPartsOfAReadIsNotMixed() throws Exception {
        try (var server = new FaultyServer(
                        answer("200 OK", TEN, "01234"),
                        answer("412 Precondition Failed", "Content-Length: 0\r\n", ""));
                var bucket = server.bucket()) {
            assertThatThrownBy(() -> read(bucket))
                    .isInstanceOf(SourceChangedException.class)
                    .hasMessageContaining("a/key");
        }
    }

    @Test
    void aServerThatIgnoresIfMatchIsCaughtByItsETag() throws Exception {
        try (var server =
                        new FaultyServer(answer("200 OK", "Content-Length: 10\r\nETag: \"other\"\r\n", "0123456789"));
                var bucket = server.bucket()) {
            assertThatThrownBy(() -> read(bucket)).isInstanceOf(SourceChangedException.class);
        }
    }

    @Test
    void aWrongLengthIsAskedForAgain() throws Exception {
        try (var server = new FaultyServer(
                        answer("200 OK", "Content-Length: 9\r\nETag: \"tag\"\r\n", "012345678"),
                        answer("200 OK", TEN, "0123456789"));
                var bucket = server.bucket()) {
            assertThat(read(bucket)).asString().isEqualTo("0123456789");
        }
    }

    @Test
    void aWrongLengthOfTheSameObjectIsTheServersFaultAndNamed() throws Exception {
        try (var server = new FaultyServer(answer("200 OK", "Content-Length: 9\r\nETag: \"tag\"\r\n", "012345678"));
                var bucket = server.bucket()) {
            assertThatThrownBy(() -> read(bucket))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(SourceChangedException.class)
                    .hasMessageContaining("a/key")
                    .hasMessageContaining("offers 9 bytes, planned were 10");
            assertThat(server.requests()).hasSize(2);
        }
    }

    @Test
    void aServerThatIgnoresTheRangeIsRefused() throws Exception {
        try (var server = new FaultyServer(answer("200 OK", TEN, "0123456789"));
                var store = new S3Store(server.bucket(), new PartSizes(5 << 20, 1))) {
            assertThatThrownBy(() -> store.open("a/key", 2, 3))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("a/key")
                    .hasMessageContaining("no range");
        }
    }

    @Test
    void silenceEndsAfterTheTimeout() throws Exception {
        try (var server = new FaultyServer(FaultyServer.SILENCE);
                var bucket = server.bucket()) {
            assertThatThrownBy(() -> read(bucket))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("a/key");
            assertThat(server.requests()).as("attempts").hasSize(2);
        }
    }

    @Test
    void errorsOfTheServerAreTriedAgainABoundedNumberOfTimes() throws Exception {
        try (var server = new FaultyServer(answer("503 Slow Down", "Content-Length: 0\r\n", ""));
                var bucket = server.bucket()) {
            assertThatThrownBy(() -> read(bucket)).isInstanceOf(IOException.class);
            assertThat(server.requests()).hasSize(2);
        }
    }

    @Test
    void aServerThatIsNotThereIsNamed() throws Exception {
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        try (var bucket = Bucket.open("test", new TestS3Config("http://127.0.0.1:" + port, "bucket", ""))) {
            assertThatThrownBy(() -> new S3Source(bucket).list(object -> {}))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("s3://bucket/")
                    .hasMessageContaining("127.0.0.1:" + port);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ETag: \"tag\"\r\nLast-Modified: Fri, 01 May 2026 10:00:00 GMT\r\n",
                "Content-Length: 10\r\nLast-Modified: Fri, 01 May 2026 10:00:00 GMT\r\n",
                "Content-Length: 10\r\nETag: \"\"\r\nLast-Modified: Fri, 01 May 2026 10:00:00 GMT\r\n",
                "Content-Length: 10\r\nETag: \"tag\"\r\n"
            })
    void aLookThatDoesNotSayAllIsAnError(String headers) throws Exception {
        try (var server = new FaultyServer(answer("200 OK", headers, ""));
                var bucket = server.bucket()) {
            var source = new S3Source(bucket);
            assertThatThrownBy(() -> source.stamp("a/key"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("a/key");
            if (headers.contains("Content-Length") && headers.contains("\"tag\"")) {
                assertThat(source.find("a/key"))
                        .hasValueSatisfying(
                                object -> assertThat(object.sizeBytes()).isEqualTo(10));
            } else {
                assertThatThrownBy(() -> source.find("a/key"))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("a/key");
            }
        }
    }

    @Test
    void aMissingBucketIsNotAMissingObject() throws Exception {
        try (var server = new FaultyServer(answer("404 Not Found", "Content-Length: 0\r\n", ""));
                var store = new S3Store(server.bucket(), new PartSizes(5 << 20, 1))) {
            assertThatThrownBy(() -> store.size("a/key"))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(NoSuchObjectException.class)
                    .hasMessageContaining("there is no bucket");
            assertThatThrownBy(() -> store.open("a/key", 0, 0)).hasMessageContaining("there is no bucket");
        }
    }

    @Test
    void onlyAnAnswerThatPersonsChangeIsARefusal() throws Exception {
        assertThat(RefusedException.isIn(failureOf("403 Forbidden", ""))).isTrue();
        assertThat(RefusedException.isIn(failureOf("401 Unauthorized", ""))).isTrue();
        assertThat(RefusedException.isIn(failureOf("404 Not Found", "<Error><Code>NoSuchBucket</Code></Error>")))
                .isTrue();
        assertThat(RefusedException.isIn(
                        failureOf("403 Forbidden", "<Error><Code>RequestTimeTooSkewed</Code></Error>")))
                .isFalse();
        assertThat(RefusedException.isIn(failureOf("429 Too Many Requests", "")))
                .isFalse();
        assertThat(RefusedException.isIn(failureOf("400 Bad Request", ""))).isFalse();
        assertThat(RefusedException.isIn(failureOf("500 Internal Server Error", "")))
                .isFalse();
        assertThat(RefusedException.isIn(failureOf("200 OK", ""))).isFalse();
    }

    private static IOException failureOf(String status, String body) throws Exception {
        var headers = "Content-Length: " + body.length() + "\r\nContent-Type: application/xml\r\n";
        try (var server = new FaultyServer(answer(status, headers, body));
                var bucket = server.bucket()) {
            return catchThrowableOfType(IOException.class, () -> read(bucket));
        }
    }

    @Test
    void anEmptyObjectThatHasBytesTakesNoConnectionAway() throws Exception {
        try (var server = new FaultyServer(answer("200 OK", "ETag: \"tag\"\r\n", "0123456789"));
                var bucket = Bucket.open("test", server.config().withConnections(1))) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> new S3Source(bucket).open("a/key", "tag", 0))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("sends more than the 0 bytes");
            }
        }
    }

    private static byte[] read(Bucket bucket) throws IOException {
        try (InputStream in = new S3Source(bucket).open("a/key", "tag", 10)) {
            return in.readAllBytes();
        }
    }
}

package io.tarpon.store.s3;

import static io.tarpon.store.s3.FaultyServer.answer;
import static io.tarpon.store.s3.FaultyServer.xml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Uploads to servers that lie: what was not stored whole is never reported as written.
@Timeout(60)
class FaultyUploadTest {
    private static final int PART = 5 << 20;
    private static final int BYTES = 2 * PART + 1;
    private static final String TAKEN = answer("200 OK", "Content-Length: 0\r\nETag: \"p\"\r\n", "");
    private static final String ERROR = xml(
            "200 OK", "<Error><Code>InternalError</Code><Message>We encountered an internal error.</Message></Error>");
    private static final String DONE =
            xml("200 OK", "<CompleteMultipartUploadResult><ETag>e-3</ETag></CompleteMultipartUploadResult>");
    private static final String ABSENT = answer("404 Not Found", "Content-Length: 0\r\n", "");

    @Test
    void aServerThatTakesEveryPartHasTheObject() throws Exception {
        try (var server = server(TAKEN, DONE, head(BYTES))) {
            upload(server);
            assertThat(server.requests())
                    .filteredOn(head -> head.startsWith("put "))
                    .hasSize(3);
            assertThat(server.requests()).noneMatch(head -> head.startsWith("delete "));
        }
    }

    @Test
    void aCompletionAnsweredByAnErrorUnderStatus200Fails() throws Exception {
        try (var server = server(TAKEN, ERROR, ABSENT)) {
            fails(server, "complete the upload of a/key");
            assertThat(server.requests()).as("thrown away").anyMatch(head -> head.startsWith("delete "));
        }
    }

    @Test
    void aCompletionAfterWhichThereIsNoObjectFails() throws Exception {
        try (var server = server(TAKEN, DONE, ABSENT)) {
            fails(server, "has no such object");
        }
    }

    @Test
    void anObjectThatLacksAPartFails() throws Exception {
        var server = new MarkingServer(BYTES - PART);
        try (var faulty = new FaultyServer(0, server)) {
            fails(faulty, "has " + (BYTES - PART) + " bytes of " + BYTES);
        }
    }

    @Test
    void aPartThatIsRefusedFailsTheUploadByName() throws Exception {
        try (var server = server(answer("403 Forbidden", "Content-Length: 0\r\n", ""), DONE, head(BYTES))) {
            fails(server, "of a/key");
            assertThat(server.requests())
                    .as("completed")
                    .noneMatch(head -> head.startsWith("post /bucket/a/key?uploadid"));
            assertThat(server.requests()).as("thrown away").anyMatch(head -> head.startsWith("delete "));
        }
    }

    @Test
    void aPartWithoutAnETagWasNotTaken() throws Exception {
        try (var server = server(answer("200 OK", "Content-Length: 0\r\n", ""), DONE, head(BYTES))) {
            fails(server, "no ETag");
        }
    }

    @Test
    void aPutWithoutAnETagWasNotTaken() throws Exception {
        try (var server = server(answer("200 OK", "Content-Length: 0\r\n", ""), DONE, head(1));
                var store = new S3Store(server.bucket(), new PartSizes(PART, 1000))) {
            try (var upload = store.upload("a/key")) {
                upload.write(ByteBuffer.allocate(1));
                assertThatThrownBy(upload::complete)
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("a/key");
            }
            assertThatThrownBy(() -> store.write("a/key", new byte[1]))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("a/key");
        }
    }

    @Test
    void aPartAnsweredLateIsNotSentTwiceAtOnce() throws Exception {
        try (var server = server(TAKEN, DONE, head(BYTES))) {
            upload(server);
            assertThat(server.requests())
                    .filteredOn(head -> head.startsWith("put "))
                    .extracting(head -> head.lines().findFirst().orElseThrow())
                    .doesNotHaveDuplicates();
        }
    }

    /// Says at its HEAD what an object of the upload's own mark would be.
    private static final class MarkingServer implements UnaryOperator<String> {
        private final long bytes;
        private volatile String mark = "";

        MarkingServer(long bytes) {
            this.bytes = bytes;
        }

        @Override
        public String apply(String request) {
            int at = request.indexOf("x-amz-meta-tarpon-upload: ");
            if (at >= 0) {
                mark = request.substring(at).lines().findFirst().orElseThrow();
            }
            return request.startsWith("head ")
                    ? answer("200 OK", "Content-Length: " + bytes + "\r\nETag: \"e-3\"\r\n" + mark + "\r\n", "")
                    : answers(TAKEN, DONE, ABSENT).apply(request);
        }
    }

    private static FaultyServer server(String part, String completion, String head) throws IOException {
        return new FaultyServer(0, answers(part, completion, head));
    }

    private static UnaryOperator<String> answers(String part, String completion, String head) {
        return request -> {
            if (request.startsWith("post ") && request.contains("?uploads")) {
                return xml(
                        "200 OK",
                        "<InitiateMultipartUploadResult><UploadId>u</UploadId></InitiateMultipartUploadResult>");
            }
            if (request.startsWith("delete ")) {
                return answer("204 No Content", "", "");
            }
            if (request.startsWith("head /bucket ") || request.startsWith("head /bucket?")) {
                return answer("200 OK", "Content-Length: 0\r\n", "");
            }
            return request.startsWith("put ") ? part : request.startsWith("head ") ? head : completion;
        };
    }

    private static String head(long bytes) {
        return answer("200 OK", "Content-Length: " + bytes + "\r\nETag: \"e-3\"\r\n", "");
    }

    private static void upload(FaultyServer server) throws IOException {
        try (var store = new S3Store(server.bucket(), new PartSizes(PART, 1000));
                var upload = store.upload("a/key")) {
            upload.write(ByteBuffer.allocate(BYTES));
            upload.complete();
        }
    }

    private static void fails(FaultyServer server, String message) {
        assertThatThrownBy(() -> upload(server)).isInstanceOf(IOException.class).hasMessageContaining(message);
    }
}

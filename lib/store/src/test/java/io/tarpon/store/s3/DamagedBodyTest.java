package io.tarpon.store.s3;

import static io.tarpon.store.s3.FaultyServer.answer;
import static io.tarpon.store.s3.FaultyServer.xml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.store.DamagedObjectException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Bodies that are not the object's, and error documents under status 200: never a wrong byte in a tar.
@Timeout(60)
class DamagedBodyTest {
    private static final String GOOD = "0123456789";
    private static final String BAD = "0123056789";
    /// Of the good bytes.
    private static final String MD5 = "781e5e245d69b566979b86e28d23f2c7";
    private static final String CRC32 = "x-amz-checksum-crc32: poTHxg==\r\n";
    private static final String CRC32C = "x-amz-checksum-crc32c: KAwGng==\r\n";

    @Test
    void aBodyThatIsNotWhatItsETagSaysIsDamagedAndNamed() throws Exception {
        assertThat(read(MD5, whole(MD5, "", GOOD))).isEqualTo(GOOD);
        isDamaged(MD5, "ETag", whole(MD5, "", BAD));
    }

    @Test
    void damageBeforeABreakIsNoticedAfterIt() throws Exception {
        isDamaged(MD5, "ETag", answer("200 OK", length(10, MD5), BAD.substring(0, 7)), rest(7, MD5, GOOD));
        assertThat(read(MD5, answer("200 OK", length(10, MD5), GOOD.substring(0, 7)), rest(7, MD5, GOOD)))
                .isEqualTo(GOOD);
    }

    @ParameterizedTest
    @ValueSource(strings = {CRC32, CRC32C})
    void aBodyThatIsNotWhatItsChecksumSaysIsDamagedAndNamed(String header) throws Exception {
        assertThat(read("etag-2", whole("etag-2", header, GOOD))).isEqualTo(GOOD);
        isDamaged("etag-2", "do not match", whole("etag-2", header, BAD));
        isDamaged(
                "etag-2",
                "CRC",
                answer("200 OK", length(10, "etag-2") + header, BAD.substring(0, 7)),
                rest(7, "etag-2", GOOD));
    }

    @Test
    void anETagThatIsNoMd5IsNotTakenForOne() throws Exception {
        String other = "00000000000000000000000000000000";
        assertThat(read(other + "-2", whole(other + "-2", "", GOOD))).isEqualTo(GOOD);
        assertThat(read(other, whole(other, "x-amz-server-side-encryption: aws:kms\r\n", GOOD)))
                .isEqualTo(GOOD);
        assertThat(read(other, whole(other, "x-amz-server-side-encryption-customer-algorithm: AES256\r\n", GOOD)))
                .isEqualTo(GOOD);
        isDamaged(other, "ETag", whole(other, "x-amz-server-side-encryption: AES256\r\n", GOOD));
    }

    @Test
    void moreBytesThanTheObjectHasAreDamage() throws Exception {
        isDamaged("t", "more than the 10 bytes", answer("200 OK", "ETag: \"t\"\r\n", GOOD + "x"));
        assertThat(read("t", answer("200 OK", "ETag: \"t\"\r\n", GOOD))).isEqualTo(GOOD);
    }

    @Test
    void anErrorDocumentUnderStatus200IsAskedForAgain() throws Exception {
        assertThat(read("t", xml("200 OK", "<Error><Code>SlowDown</Code></Error>"), whole("t", "", GOOD)))
                .isEqualTo(GOOD);
    }

    @Test
    void anErrorDocumentOfTheRightLengthIsNoObject() throws Exception {
        assertThatThrownBy(() -> read("t", xml("200 OK", "<Error />\n")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a/key")
                .hasMessageContaining("no ETag");
    }

    @Test
    void anErrorDocumentIsNoneOfOurObjectsEither() throws Exception {
        try (var server =
                        new FaultyServer(xml("200 OK", "<Error><Code>SlowDown</Code></Error>"), whole(MD5, "", GOOD));
                var store = new S3Store(server.bucket(), new PartSizes(5 << 20, 1))) {
            assertThat(store.read("a/key", 10)).asString().isEqualTo(GOOD);
        }
        try (var server = new FaultyServer(whole(MD5, "", BAD));
                var store = new S3Store(server.bucket(), new PartSizes(5 << 20, 1))) {
            assertThatThrownBy(() -> store.read("a/key", 10))
                    .isInstanceOf(DamagedObjectException.class)
                    .hasMessageContaining("a/key");
        }
    }

    private static String whole(String etag, String headers, String body) {
        return answer("200 OK", length(body.length(), etag) + headers, body);
    }

    private static String rest(int from, String etag, String body) {
        return answer(
                "206 Partial Content",
                length(body.length() - from, etag) + "Content-Range: bytes " + from + "-" + (body.length() - 1) + "/"
                        + body.length() + "\r\n",
                body.substring(from));
    }

    private static String length(int bytes, String etag) {
        return "Content-Length: " + bytes + "\r\nETag: \"" + etag + "\"\r\n";
    }

    private static void isDamaged(String etag, String what, String... answers) {
        assertThatThrownBy(() -> read(etag, answers))
                .isInstanceOfSatisfying(
                        DamagedObjectException.class, e -> assertThat(e.key()).isEqualTo("a/key"))
                .hasMessageContaining("a/key")
                .hasMessageContaining(what);
    }

    /// By both ways of reading.
    private static String read(String etag, String... answers) throws IOException {
        try (var server = new FaultyServer(answers);
                var bucket = server.bucket()) {
            var buffer = ByteBuffer.allocate(10);
            new S3Source(bucket).read("a/key", etag, buffer);
            assertThat(buffer.array()).asString().isEqualTo(GOOD);
        }
        try (var server = new FaultyServer(answers);
                var bucket = server.bucket();
                InputStream in = new S3Source(bucket).open("a/key", etag, 10)) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}

package io.tarpon.store.s3;

import static io.tarpon.store.s3.FaultyServer.answer;
import static io.tarpon.store.s3.FaultyServer.xml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.store.SourceObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Listings that are none: an incomplete listing taken for a whole one would lose samples in silence.
@Timeout(60)
class FaultyListingTest {
    private static final String ERROR = "<Error><Code>InternalError</Code><Message>We encountered an internal error."
            + " Please try again.</Message></Error>";

    @Test
    void keysOutOfOrderAreRefused() throws Exception {
        try (var server = new FaultyServer(
                        xml("200 OK", page(false, contents("b", "1", "t") + contents("a", "1", "t"))));
                var bucket = server.bucket()) {
            assertThatThrownBy(() -> list(bucket)).hasMessageContaining("not in order: a after b");
        }
    }

    @Test
    void anErrorDocumentUnderStatus200IsNoEmptyListing() throws Exception {
        try (var server = new FaultyServer(xml("200 OK", ERROR));
                var bucket = server.bucket()) {
            assertThatThrownBy(() -> list(bucket))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("s3://bucket/");
        }
    }

    @Test
    void anErrorDocumentInTheMiddleIsNotTheEnd() throws Exception {
        try (var server = new FaultyServer(xml("200 OK", page(true, contents("a", "1", "t"))), xml("200 OK", ERROR));
                var bucket = server.bucket()) {
            assertThatThrownBy(() -> list(bucket)).isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<html><body>It works!</body></html>",
                "<ListBucketResult><Name>bucket</Name></ListBucketResult>",
                "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
                "<ListBucketResult><IsTruncated>false</IsTruncated>",
                "not XML",
                ""
            })
    void whatIsNoListingIsRefused(String body) throws Exception {
        try (var server = new FaultyServer(xml("200 OK", body));
                var bucket = server.bucket()) {
            assertThatThrownBy(() -> list(bucket)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aKeyThatCannotBeDecodedIsTheServersFault() throws Exception {
        var body = page(false, contents("%zz", "1", "t"))
                .replace("<ListBucketResult>", "<ListBucketResult><EncodingType>url</EncodingType>");
        try (var server = new FaultyServer(xml("200 OK", body));
                var bucket = server.bucket()) {
            assertThat(body).contains("EncodingType");
            assertThatThrownBy(() -> list(bucket))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("s3://bucket/");
        }
    }

    @Test
    void aListingThatBreaksOffIsAskedForAgain() throws Exception {
        String whole = page(false, contents("a", "1", "t") + contents("b", "2", "t"));
        try (var server = new FaultyServer(
                        answer("200 OK", "Content-Length: " + whole.length() + "\r\n", whole.substring(0, 120)),
                        xml("200 OK", whole));
                var bucket = server.bucket()) {
            assertThat(list(bucket)).extracting(SourceObject::key).containsExactly("a", "b");
            assertThat(server.requests()).hasSize(2);
        }
    }

    @Test
    void fiveTebibytesAreASize() throws Exception {
        try (var server = new FaultyServer(xml("200 OK", page(false, contents("big", "5497558138880", "t"))));
                var bucket = server.bucket()) {
            assertThat(list(bucket)).containsExactly(SourceObject.file("big", 5L << 40, "t"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "9223372036854775808", "1.5", "twelve", ""})
    void whatIsNoSizeIsRefused(String size) throws Exception {
        try (var server = new FaultyServer(xml("200 OK", page(false, contents("a", size, "t"))));
                var bucket = server.bucket()) {
            assertThatThrownBy(() -> list(bucket)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void anObjectWithoutASizeOrAnETagIsRefusedByName() throws Exception {
        for (String without : List.of("<Size>1</Size>", "<ETag>t</ETag>")) {
            String page = page(false, contents("a/key", "1", "t")).replace(without, "");
            try (var server = new FaultyServer(xml("200 OK", page));
                    var bucket = server.bucket()) {
                assertThatThrownBy(() -> list(bucket))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("a/key");
            }
        }
    }

    private static String page(boolean more, String contents) {
        return "<ListBucketResult><Name>bucket</Name><IsTruncated>" + more + "</IsTruncated>"
                + (more ? "<NextContinuationToken>next</NextContinuationToken>" : "") + contents
                + "</ListBucketResult>";
    }

    private static String contents(String key, String size, String etag) {
        return "<Contents><Key>" + key + "</Key><Size>" + size + "</Size><ETag>" + etag + "</ETag></Contents>";
    }

    private static List<SourceObject> list(Bucket bucket) throws IOException {
        var objects = new ArrayList<SourceObject>();
        new S3Source(bucket).list(objects::add);
        return objects;
    }
}

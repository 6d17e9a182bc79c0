package io.tarpon.store.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.store.ObjectSource;
import io.tarpon.store.ObjectSourceContract;
import io.tarpon.store.SourceObject;
import io.tarpon.testkit.S3ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;

@Timeout(120)
class S3SourceTest extends ObjectSourceContract {
    private static final AtomicInteger TESTS = new AtomicInteger();

    @TempDir
    static Path data;

    private static S3ServerProcess server;

    private Bucket bucket;

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

    @BeforeEach
    void open() {
        bucket = Bucket.open("test", TestS3Config.of(server, "source-" + TESTS.incrementAndGet() + "/in/"));
    }

    @AfterEach
    void close() {
        bucket.close();
    }

    @Test
    void moreThanOnePageIsListedWholeAndInOrder() throws Exception {
        int count = 2_100;
        var puts = IntStream.range(0, count)
                .<Callable<Void>>mapToObj(i -> () -> {
                    put("%06d.jpg".formatted(i), new byte[i % 7]);
                    return null;
                })
                .toList();
        try (var pool = Executors.newFixedThreadPool(8)) {
            for (var done : pool.invokeAll(puts)) {
                done.get();
            }
        }
        assertThat(list())
                .extracting(SourceObject::key)
                .containsExactlyElementsOf(IntStream.range(0, count)
                        .mapToObj("%06d.jpg"::formatted)
                        .toList());
    }

    @Test
    void aKeyThatEndsInASlashIsNoRegularFile() throws Exception {
        put("folder/", new byte[0]);
        put("folder/a.jpg", new byte[1]);
        assertThat(list())
                .extracting(SourceObject::key, SourceObject::kind)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("folder/", SourceObject.Kind.NOT_REGULAR),
                        org.assertj.core.groups.Tuple.tuple("folder/a.jpg", SourceObject.Kind.FILE));
    }

    @Test
    void theMarkOfTheFolderItselfIsNotListed() throws Exception {
        put("", new byte[0]);
        put("a.jpg", new byte[1]);
        assertThat(list()).extracting(SourceObject::key).containsExactly("a.jpg");
    }

    @Test
    void keysAreTakenVerbatim() throws Exception {
        var keys = List.of(
                "a b",
                "ü/é",
                "100%",
                "%zz",
                "a%2Fb",
                "a%252Fb",
                "a+b",
                "q?x=1#f",
                "&<>\"'",
                "😀",
                "n".repeat(200),
                "tab\t",
                "no\u0001xml",
                "new\nline",
                "back\\slash",
                "\u202Egpj.exe",
                "a/".repeat(300) + "x");
        for (String key : keys) {
            put(key, key.getBytes(UTF_8));
        }
        assertThat(list()).extracting(SourceObject::key).containsExactlyInAnyOrderElementsOf(keys);
        for (SourceObject object : list()) {
            assertThat(open(object)).asString(UTF_8).isEqualTo(object.key());
        }
    }

    /// S3 and its other servers sort by bytes; s3proxy sorts Java strings, so it cannot have both keys.
    @Override
    protected List<String> lastKeys() {
        return List.of("😀.jpg");
    }

    @Override
    protected ObjectSource source() {
        return new S3Source(bucket);
    }

    @Override
    protected ObjectSource missingSource() {
        return new S3Source(Bucket.open("test", TestS3Config.ofBucket(server, missingName())));
    }

    @Override
    protected String missingName() {
        return "no-such-bucket";
    }

    @Override
    protected void put(String key, byte[] bytes) {
        bucket.client()
                .putObject(put -> put.bucket(bucket.name()).key(bucket.objectKey(key)), RequestBody.fromBytes(bytes));
    }

    @Override
    protected void remove(String key) {
        bucket.client().deleteObject(delete -> delete.bucket(bucket.name()).key(bucket.objectKey(key)));
    }
}

package io.tarpon.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.store.SourceObject;
import io.tarpon.testkit.LocalServer;
import io.tarpon.testkit.S3ServerProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A real S3 server behind a network that is slow, breaks or loses answers.
@Timeout(180)
class S3OverLinkTest {
    private static final AtomicInteger TESTS = new AtomicInteger();
    private static final int BYTES = 20_000_000;

    @TempDir
    static Path data;

    private static S3ServerProcess server;

    private LocalServer link;
    private TestS3Config config;
    private byte[] bytes;

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
    void startLink() throws IOException {
        link = server.link();
        config = TestS3Config.through(link.port(), "link-" + TESTS.incrementAndGet() + "/")
                .withAttempts(8, Duration.ofMillis(1), Duration.ofMillis(20), 1000)
                .withConnections(64);
        bytes = new byte[BYTES];
        new Random(BYTES).nextBytes(bytes);
    }

    @AfterEach
    void stopLink() {
        link.close();
    }

    @Test
    void readsGoOnAfterEveryResetAndTheirBytesAreTheSame() throws Exception {
        try (var store = store(config)) {
            upload(store);
            link.tell("reset-after-bytes 3000000");
            try (var in = store.open("big", 1, BYTES - 1)) {
                assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(bytes, 1, BYTES));
            }
            assertThat(store.read("big", BYTES)).isEqualTo(bytes);
            SourceObject listed = list(config).getFirst();
            try (var bucket = Bucket.open("test", config);
                    var in = new S3Source(bucket).open("big", listed.etag(), BYTES)) {
                assertThat(in.readAllBytes()).isEqualTo(bytes);
            }
        }
    }

    @Test
    void connectionsThatBreakInTheMiddleOfAnUploadAreMadeUpFor() throws Exception {
        try (var store = store(config);
                var pool = Executors.newSingleThreadExecutor()) {
            link.tell("bytes-per-second 20000000");
            var upload = pool.submit(() -> upload(store));
            int resets = 0;
            while (!upload.isDone() && resets < 3) {
                if (link.tell("reset").endsWith("connections=0")) {
                    Thread.onSpinWait();
                } else {
                    resets++;
                }
            }
            assertThat(upload.get()).isNull();
            link.tell("bytes-per-second 0");
            assertThat(resets).isPositive();
            assertThat(store.read("big", BYTES)).isEqualTo(bytes);
        }
    }

    @Test
    void anUploadWhoseCompletionIsNeverHeardOfIsRecognised() throws Exception {
        try (var proxy = new ForgetfulProxy(server.port(), 8);
                var store = store(TestS3Config.through(proxy.port(), config.start())
                        .withAttempts(3, Duration.ofMillis(1), Duration.ofMillis(20), 1000))) {
            upload(store);
            assertThat(proxy.left()).as("answers left to forget").isLessThan(8);
            assertThat(store.read("big", BYTES)).isEqualTo(bytes);
        }
    }

    @Test
    void anotherUploadsObjectIsNotTakenForOurs() throws Exception {
        try (var store = store(config);
                var upload = store.upload("big")) {
            upload.write(ByteBuffer.wrap(bytes));
            store.abandoned(Duration.ZERO, store::abandon);
            store.write("big", new byte[BYTES]);
            assertThatThrownBy(upload::complete).isInstanceOf(IOException.class).hasMessageContaining("big");
        }
    }

    /// 30 ms for each request, as to another building: one connection reads 33 objects a second at the most.
    @Test
    void manyReadersHideTheLatencyOfManySmallObjects() throws Exception {
        int objects = 1_000;
        int readers = 64;
        try (var near = store(TestS3Config.of(server, config.start()))) {
            inParallel(16, objects, i -> near.write("small/%04d".formatted(i), new byte[i]));
        }
        try (var bucket = Bucket.open("test", config)) {
            var source = new S3Source(bucket);
            List<SourceObject> listed = list(config);
            assertThat(listed).hasSize(objects);
            inParallel(readers, readers, i -> read(source, listed.get(i)));
            link.tell("request-latency-ms 30");
            long one = nanos(() -> inParallel(1, 20, i -> read(source, listed.get(i)))) / 20;
            long many = nanos(() -> inParallel(readers, objects, i -> read(source, listed.get(i)))) / objects;
            System.out.printf(
                    "one connection %.1f/s, %d readers %.1f/s, %.1f times%n",
                    1e9 / one, readers, 1e9 / many, (double) one / many);
            assertThat((double) one / many).isGreaterThan(15);
        }
    }

    private static S3Store store(TestS3Config config) {
        return new S3Store(Bucket.open("test", config), PartSizes.of(config));
    }

    private Void upload(S3Store store) throws IOException {
        try (var upload = store.upload("big")) {
            upload.write(ByteBuffer.wrap(bytes));
            upload.complete();
        }
        return null;
    }

    private static List<SourceObject> list(TestS3Config config) throws IOException {
        var objects = new ArrayList<SourceObject>();
        try (var bucket = Bucket.open("test", config)) {
            new S3Source(bucket).list(objects::add);
        }
        return objects;
    }

    private static void read(S3Source source, SourceObject object) throws IOException {
        source.read(object.key(), object.etag(), ByteBuffer.allocate((int) object.sizeBytes()));
    }

    /// Takes a number.
    private interface Work {
        void on(int number) throws IOException;
    }

    private interface Timed {
        void run() throws Exception;
    }

    private static void inParallel(int threads, int count, Work work) throws Exception {
        try (var pool = Executors.newFixedThreadPool(threads)) {
            var calls = new ArrayList<Callable<Void>>();
            for (int i = 0; i < count; i++) {
                int number = i;
                calls.add(() -> {
                    work.on(number);
                    return null;
                });
            }
            for (var done : pool.invokeAll(calls)) {
                done.get();
            }
        }
    }

    private static long nanos(Timed timed) throws Exception {
        long before = System.nanoTime();
        timed.run();
        return System.nanoTime() - before;
    }
}

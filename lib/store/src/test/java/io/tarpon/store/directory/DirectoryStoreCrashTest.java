package io.tarpon.store.directory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What dead and living processes leave in a store's folder.
@Timeout(60)
class DirectoryStoreCrashTest {
    @TempDir
    Path root;

    /// Another process: begins an upload, says so, and waits to be killed.
    static final class Uploader {
        private Uploader() {}

        public static void main(String[] args) throws IOException {
            var upload = DirectoryStore.open(Path.of(args[0])).upload("datasets/half.tar");
            upload.write(ByteBuffer.wrap("half".getBytes(UTF_8)));
            System.out.println("begun");
            if (System.in.read() == 'c') {
                upload.complete();
            }
        }
    }

    @Test
    void aLivingProcessKeepsItsUploadWhenAnotherOpensTheStore() throws Exception {
        Process uploader = uploader();
        try (var store = DirectoryStore.open(root)) {
            uploader.getOutputStream().write('c');
            uploader.getOutputStream().flush();
            assertThat(uploader.waitFor()).isZero();
            assertThat(store.read("datasets/half.tar", 10)).asString().isEqualTo("half");
        } finally {
            uploader.destroyForcibly();
        }
    }

    @Test
    void whatAKilledProcessLeftIsRemovedByTheNextOpen() throws Exception {
        Process uploader = uploader();
        assertThat(scratchFiles()).hasSize(3);
        uploader.destroyForcibly().waitFor();
        assertThat(scratchFiles()).hasSize(3);
        try (var store = DirectoryStore.open(root)) {
            assertThat(store.size("datasets/half.tar")).isEmpty();
            assertThat(scratchFiles()).as("the new session's own").hasSize(2);
        }
        assertThat(scratchFiles()).isEmpty();
    }

    @Test
    void twoStoresOfOneProcessLeaveEachOthersUploadsAlone() throws Exception {
        try (var one = DirectoryStore.open(root);
                var upload = one.upload("k")) {
            upload.write(ByteBuffer.wrap(new byte[5]));
            try (var two = DirectoryStore.open(root)) {
                assertThat(two.size("k")).isEmpty();
            }
            DirectoryStore.open(root).close();
            upload.complete();
            assertThat(one.size("k")).hasValue(5);
        }
    }

    @Test
    void aLockWithoutASessionIsRemoved() throws Exception {
        Files.createDirectories(root.resolve(".tmp"));
        Files.createFile(root.resolve(".tmp/f47ac10b-58cc-4372-a567-0e02b2c3d479.lock"));
        DirectoryStore.open(root).close();
        assertThat(scratchFiles()).isEmpty();
    }

    @Test
    void deletesThatPruneFoldersDoNotBreakWritesBesideThem() throws Exception {
        try (var store = DirectoryStore.open(root);
                var pool = Executors.newFixedThreadPool(4)) {
            var work = new ArrayList<Callable<Void>>();
            for (int thread = 0; thread < 4; thread++) {
                String key = "a/b/c/" + thread;
                work.add(() -> {
                    for (int i = 0; i < 200; i++) {
                        store.write(key, new byte[1]);
                        assertThat(store.size(key)).hasValue(1);
                        store.delete(key);
                    }
                    return null;
                });
            }
            for (var done : pool.invokeAll(work)) {
                done.get();
            }
            assertThat(Files.exists(root.resolve("a"))).isFalse();
        }
    }

    @Test
    void aFileThatTheStoreNeverWroteStopsAListingByName() throws Exception {
        try (var store = DirectoryStore.open(root)) {
            Files.writeString(root.resolve("not escaped"), "x");
            assertThatThrownBy(() -> store.list("", object -> {}))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(root.resolve("not escaped").toString());
        }
    }

    @Test
    void ordinaryKeysAreOrdinaryPaths() throws Exception {
        try (var store = DirectoryStore.open(root)) {
            store.write("datasets/demo/v1/train/shard-000000.tar", new byte[1]);
            assertThat(root.resolve("datasets/demo/v1/train/shard-000000.tar")).isRegularFile();
        }
    }

    private Process uploader() throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var process = new ProcessBuilder(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Uploader.class.getName(),
                        root.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(process.inputReader(UTF_8).readLine()).isEqualTo("begun");
        return process;
    }

    private List<Path> scratchFiles() throws IOException {
        try (Stream<Path> files = Files.walk(root.resolve(".tmp"))) {
            return files.skip(1).toList();
        }
    }
}

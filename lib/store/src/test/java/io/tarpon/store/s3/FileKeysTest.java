package io.tarpon.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.RefusedException;
import io.tarpon.store.StoreConfig;
import io.tarpon.store.Stores;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.S3ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A store that lives through a change of its key, against a real server.
@Timeout(180)
class FileKeysTest {
    private static final Duration LONGEST = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private Path idFile;
    private Path secretFile;
    private S3ServerProcess server;

    @BeforeEach
    void start() throws IOException {
        idFile = folder.resolve("id");
        secretFile = folder.resolve("secret");
        server = S3ServerProcess.start(folder.resolve("data"), 0, "first-id", "first-secret");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aKeyThatIsReplacedIsUsedFromThenOn() throws IOException {
        write(idFile, "first-id\n");
        write(secretFile, "first-secret\n");
        try (var store = open(files())) {
            assertThat(store.size("a")).isEmpty();

            replaceKeyAtServer();
            write(idFile, "second-id");
            write(secretFile, "second-secret");

            Deadline.until(LONGEST, "let in by the new key", () -> isLetIn(store));
        }
    }

    @Test
    void aPairThatDoesNotFitIsNoFinalRefusal() throws IOException {
        write(idFile, "first-id");
        write(secretFile, "first-secret");
        try (var store = open(files())) {
            assertThat(store.size("a")).isEmpty();
            replaceKeyAtServer();
            write(idFile, "second-id");
            Deadline.until(LONGEST, "refused", () -> !isLetIn(store));

            write(secretFile, "second-secret");

            Deadline.until(LONGEST, "let in", () -> isLetIn(store));
        }
    }

    @Test
    void whileAFileIsAwayTheKeyReadBeforeStays() throws Exception {
        write(idFile, "first-id");
        write(secretFile, "first-secret");
        try (var store = open(files())) {
            assertThat(store.size("a")).isEmpty();
            Files.delete(secretFile);
            Deadline.always(Duration.ofMillis(1_500), "let in", () -> isLetIn(store));
        }
    }

    @Test
    void aFileThatWasNeverThereIsNamedAndMayCome() throws IOException {
        write(idFile, "first-id");
        try (var store = open(files())) {
            assertThatThrownBy(() -> store.size("a"))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(RefusedException.class)
                    .hasMessageContaining("tarpon.store.s3.secret-access-key-file " + secretFile + " is not there");
            write(secretFile, "first-secret");
            assertThat(store.size("a")).isEmpty();
        }
    }

    @Test
    void keysThatDoNotGoTogetherAreRefused() {
        var half = Map.of("tarpon.store.s3.access-key-id-file", idFile.toString());
        assertThatThrownBy(() -> open(half)).hasMessageContaining(".secret-access-key-file belong together");
        var twice = new HashMap<>(files());
        twice.put("tarpon.store.s3.access-key-id", "one");
        twice.put("tarpon.store.s3.secret-access-key", "another");
        assertThatThrownBy(() -> open(twice)).hasMessageContaining("are two keys");
        var relative = new HashMap<>(files());
        relative.put("tarpon.store.s3.access-key-id-file", "id");
        assertThatThrownBy(() -> open(relative)).hasMessageContaining("must be an absolute path, not id");
    }

    /// A refusal must be one that may pass.
    private static boolean isLetIn(ObjectStore store) {
        try {
            return store.size("a").isEmpty();
        } catch (IOException e) {
            assertThat(e).isNotInstanceOf(RefusedException.class);
            return false;
        }
    }

    private void replaceKeyAtServer() throws IOException {
        int port = server.port();
        server.close();
        server = S3ServerProcess.start(folder.resolve("data"), port, "second-id", "second-secret");
    }

    private Map<String, String> files() {
        return Map.of(
                "tarpon.store.s3.access-key-id-file", idFile.toString(),
                "tarpon.store.s3.secret-access-key-file", secretFile.toString());
    }

    private ObjectStore open(Map<String, String> keys) throws IOException {
        var settings = new HashMap<>(keys);
        settings.put("tarpon.store.kind", "s3");
        settings.put("tarpon.store.s3.endpoint", "http://127.0.0.1:" + server.port());
        settings.put("tarpon.store.s3.bucket", S3ServerProcess.BUCKET);
        return Stores.open(new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(settings, "test", 100))
                .withMapping(StoreConfig.class, "tarpon.store")
                .build()
                .getConfigMapping(StoreConfig.class, "tarpon.store"));
    }

    private static void write(Path file, String secret) throws IOException {
        var fresh = Files.writeString(file.resolveSibling("new"), secret);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }
}

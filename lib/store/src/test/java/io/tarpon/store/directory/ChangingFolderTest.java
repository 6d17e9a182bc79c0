package io.tarpon.store.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.store.SourceChangedException;
import io.tarpon.store.SourceObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A folder that somebody changes between planning and reading, or while it is read.
@Timeout(30)
class ChangingFolderTest {
    private static final int SIZE = 200_000;
    private static final FileTime LONG_AGO = FileTime.from(Instant.parse("2026-01-01T00:00:00.123456789Z"));

    @TempDir
    Path temp;

    private Path root;
    private Path file;
    private SourceObject planned;

    @BeforeEach
    void plan() throws IOException {
        root = Files.createDirectories(temp.resolve("root"));
        file = root.resolve("class/a.jpg");
        Files.createDirectory(file.getParent());
        Files.write(file, new byte[SIZE]);
        Files.setLastModifiedTime(file, LONG_AGO);
        var objects = new ArrayList<SourceObject>();
        source().list(objects::add);
        planned = objects.getFirst();
    }

    @Test
    void theTagIsModificationTimeAndSize() {
        long nanos = TimeUnit.SECONDS.toNanos(LONG_AGO.toInstant().getEpochSecond()) + 123456789;
        assertThat(planned.etag()).isEqualTo(Long.toHexString(nanos) + "-" + Long.toHexString(SIZE));
    }

    @Test
    void aFileCutWhileItIsReadBreaksTheRead() throws Exception {
        brokenWhileRead(() -> resize(SIZE / 2));
    }

    @Test
    void aFileThatGrowsWhileItIsReadBreaksTheRead() throws Exception {
        brokenWhileRead(() -> resize(SIZE + 1));
    }

    @Test
    void aFileWrittenWhileItIsReadBreaksTheRead() throws Exception {
        brokenWhileRead(() -> Files.write(file, new byte[SIZE]));
    }

    @Test
    void aFileRemovedWhileItIsReadBreaksTheRead() throws Exception {
        brokenWhileRead(() -> Files.delete(file));
    }

    @Test
    void aFileReplacedWhileItIsReadBreaksTheRead() throws Exception {
        brokenWhileRead(() -> {
            Path other = Files.write(temp.resolve("other"), new byte[SIZE]);
            Files.move(other, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        });
    }

    @Test
    void aLinkInItsPlaceIsNotFollowed() throws Exception {
        Path twin = temp.resolve("twin");
        Files.move(file, twin);
        Files.createSymbolicLink(file, twin);
        refused("no longer a regular file");
    }

    @Test
    void aLinkInTheFoldersPlaceIsNotFollowed() throws Exception {
        Files.move(file.getParent(), temp.resolve("class"));
        Files.createSymbolicLink(file.getParent(), temp.resolve("class"));
        refused("its folder class is gone or became a link");
    }

    @Test
    void aPipeInItsPlaceIsNotOpened() throws Exception {
        Files.delete(file);
        assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                .isZero();
        refused("no longer a regular file");
    }

    @Test
    void aFolderInItsPlaceIsRefused() throws Exception {
        Files.delete(file);
        Files.createDirectory(file);
        refused("no longer a regular file");
    }

    @Test
    void anAbsoluteKeyIsRefused() {
        assertThatThrownBy(() -> source().open(file.toString(), planned.etag(), SIZE))
                .isInstanceOf(SourceChangedException.class);
    }

    @Test
    void theRootItselfMayBeALink() throws Exception {
        Path link = Files.createSymbolicLink(temp.resolve("link"), root);
        try (InputStream in = new DirectorySource(link).open(planned.key(), planned.etag(), SIZE)) {
            assertThat(in.readAllBytes()).hasSize(SIZE);
        }
    }

    @Test
    void nothingIsGoneFromAFolderThatIsAway() throws Exception {
        Path away = temp.resolve("away");
        try (var opened = source();
                InputStream in = opened.open(planned.key(), planned.etag(), SIZE)) {
            Files.move(root, away);
            // Its folder was looked at a moment ago, another's is looked at now.
            for (String key : List.of(planned.key(), "other/a.jpg", "a.jpg")) {
                unreadable(() -> opened.open(key, planned.etag(), SIZE));
                unreadable(() -> opened.find(key));
            }
            unreadable(() -> source().open(planned.key(), planned.etag(), SIZE));

            Files.createDirectory(root);
            for (String key : List.of(planned.key(), "other/a.jpg", "a.jpg")) {
                unreadable(() -> opened.open(key, planned.etag(), SIZE));
                unreadable(() -> opened.read(key, planned.etag(), ByteBuffer.allocate(SIZE)));
                unreadable(() -> opened.find(key));
            }
            unreadable(in::readAllBytes);

            Files.delete(root);
            Files.move(away, root);
            opened.read(planned.key(), planned.etag(), ByteBuffer.allocate(SIZE));
        }
    }

    private static void unreadable(ThrowableAssert.ThrowingCallable read) {
        assertThatThrownBy(read).isInstanceOf(IOException.class).isNotInstanceOf(SourceChangedException.class);
    }

    private void brokenWhileRead(Change change) throws Exception {
        try (InputStream in = source().open(planned.key(), planned.etag(), SIZE)) {
            assertThat(in.readNBytes(1000)).hasSize(1000);
            change.happen();
            assertThatThrownBy(() -> in.readNBytes(SIZE - 1000))
                    .isInstanceOfSatisfying(
                            SourceChangedException.class,
                            e -> assertThat(e.key()).isEqualTo("class/a.jpg"));
        }
    }

    private void refused(String why) {
        assertThatThrownBy(() -> source().open(planned.key(), planned.etag(), SIZE))
                .isInstanceOf(SourceChangedException.class)
                .hasMessageContaining("class/a.jpg")
                .hasMessageContaining(why);
        assertThatThrownBy(() -> source().read(planned.key(), planned.etag(), ByteBuffer.allocate(SIZE)))
                .isInstanceOf(SourceChangedException.class)
                .hasMessageContaining(why);
    }

    private void resize(long size) throws IOException {
        try (var open = new RandomAccessFile(file.toFile(), "rw")) {
            open.setLength(size);
        }
    }

    private DirectorySource source() {
        return new DirectorySource(root);
    }

    @FunctionalInterface
    private interface Change {
        void happen() throws IOException;
    }
}

package io.tarpon.gateway.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.testkit.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Bytes beside the heap, in files of a real disk.
class UnnamedFilesTest {
    private static final int MIB = 1 << 20;

    @TempDir
    Path folder;

    @Test
    void theBytesAreTheSameAndNoNameIsLeft() throws IOException {
        var bytes = new byte[3 * MIB + 7];
        new Random(1).nextBytes(bytes);

        var files = UnnamedFiles.open(folder, 4 * MIB);
        var moved = files.move(ByteBuffer.wrap(bytes).position(5));
        assertThat(moved).isEqualTo(ByteBuffer.wrap(bytes));
        assertThat(moved.isDirect()).isTrue();
        assertThat(folder).isEmptyDirectory();
        assertThat(files.takenBytes()).isEqualTo(bytes.length);
        assertThatThrownBy(() -> moved.put(0, (byte) 1)).isInstanceOf(ReadOnlyBufferException.class);
    }

    @Test
    void whatIsInUseCountsUntilItIsGone() throws Exception {
        var files = UnnamedFiles.open(folder, MIB);
        List<ByteBuffer> used = new ArrayList<>();
        used.add(files.move(ByteBuffer.allocate(MIB)));
        used.add(files.move(ByteBuffer.allocate(MIB)));
        assertThatThrownBy(() -> files.move(ByteBuffer.allocate(MIB)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("2 MiB below " + folder + " are in use");
        assertThat(files.takenBytes()).isEqualTo(2 * MIB);
        assertThat(used).hasSize(2);

        used.clear();
        var next = files.move(ByteBuffer.allocate(2 * MIB));
        assertThat(files.takenBytes()).isEqualTo(next.capacity());
    }

    @Test
    void aViewKeepsItsFile() throws Exception {
        var files = UnnamedFiles.open(folder, MIB);
        var bytes = ByteBuffer.allocate(MIB).order(ByteOrder.nativeOrder()).putInt(4096, 77);
        List<IntBuffer> views = new ArrayList<>();
        views.add(files.move(bytes).asIntBuffer().slice(1024, 1));
        for (int i = 0; i < 2; i++) {
            files.move(ByteBuffer.allocate(1));
            // What nobody uses goes: the view's file would have gone with the first of these.
            Deadline.until(Duration.ofSeconds(10), "what nobody uses is gone", () -> {
                System.gc();
                return files.takenBytes() <= MIB;
            });
            assertThat(files.takenBytes()).isEqualTo(MIB);
        }
        assertThat(views.getFirst().get(0)).isEqualTo(77);

        views.clear();
        Deadline.until(Duration.ofSeconds(10), "the view is gone", () -> {
            System.gc();
            return files.takenBytes() == 0;
        });
    }

    @Test
    void aDiskThatIsNearlyFullTakesNothingMore() {
        var files = new UnnamedFiles(folder, MIB, Long.MAX_VALUE / 2);
        assertThatThrownBy(() -> files.move(ByteBuffer.allocate(MIB)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(folder + " has ")
                .hasMessageContaining("1 more are needed");
        assertThat(files.takenBytes()).isZero();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aFolderThatIsGoneIsMadeAgainAndOneThatCannotBeTakesNothing() throws IOException {
        var gone = folder.resolve("gone");
        var files = UnnamedFiles.open(gone, MIB);
        Files.delete(gone);
        assertThat(files.moveNow(ByteBuffer.allocate(1)).capacity()).isEqualTo(1);
        files = UnnamedFiles.open(gone, MIB);
        Files.delete(gone);
        Files.createFile(gone);
        var spoiled = files;
        assertThatThrownBy(() -> spoiled.move(ByteBuffer.allocate(MIB))).isInstanceOf(IOException.class);
        assertThat(spoiled.takenBytes()).isZero();
    }

    @Test
    void whatACrashLeftIsRemovedAndNothingElse() throws IOException {
        Files.write(folder.resolve("unnamed-12345-0.tmp"), new byte[10]);
        Files.write(folder.resolve("other.tmp"), new byte[10]);
        UnnamedFiles.open(folder, MIB);
        assertThat(folder.toFile().list()).containsExactly("other.tmp");
    }
}

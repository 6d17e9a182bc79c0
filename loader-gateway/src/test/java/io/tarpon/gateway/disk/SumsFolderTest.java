package io.tarpon.gateway.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.tarpon.gateway.order.SparseSums;
import io.tarpon.gateway.order.SparseSumsFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sums on a real disk: found again, bounded, and whatever else lies there.
class SumsFolderTest {
    private static final String A = "a".repeat(32);
    private static final String B = "b".repeat(32);
    private static final String C = "c".repeat(32);
    private static final long MIB = 1 << 20;
    private static final long TWO_FILES = 2 * 4096;

    @TempDir
    Path temporary;

    private Path folder;

    @BeforeEach
    void name() {
        folder = temporary.resolve("gateway").resolve("sums");
    }

    @Test
    void whatWasWrittenIsFoundAgainAfterARestart() throws IOException {
        SumsFolder.open(folder, MIB).write(A, sums(5_000));

        var again = SumsFolder.open(folder, MIB);
        assertThat(again.read(A)).hasValueSatisfying(found -> {
            assertThat(found.samples()).isEqualTo(5_000);
            assertThat(found.total()).isEqualTo(sums(5_000).total());
            assertThat(found.start(4_321, _ -> 7)).isEqualTo(4_321 * 7);
        });
        assertThat(again.read(B)).isEmpty();
    }

    @Test
    void longSumsAreTheSameOffTheHeapAndLeaveNoName() throws IOException {
        var sums = SumsFolder.open(folder, MIB);
        var heap = SparseSums.of(1_000_003, sample -> 1 + sample % 1_000);

        var moved = sums.offHeap(heap);
        assertThat(moved).isNotSameAs(heap);
        assertThat(names()).isEmpty();
        for (long at = 0; at < heap.total(); at += 1_000_001) {
            assertThat(moved.place(at, sample -> 1 + sample % 1_000))
                    .isEqualTo(heap.place(at, sample -> 1 + sample % 1_000));
        }
        assertThat(SparseSumsFormat.encode(moved)).isEqualTo(SparseSumsFormat.encode(heap));
    }

    @Test
    void theLeastRecentlyUsedIsDeletedFirst() throws IOException {
        var sums = SumsFolder.open(folder, TWO_FILES);
        sums.write(A, sums(1));
        sums.write(B, sums(2));
        sums.read(A);
        sums.write(C, sums(3));

        assertThat(names()).containsExactlyInAnyOrder(A + ".sums", C + ".sums");
        assertThat(sums.read(B)).isEmpty();
    }

    @Test
    void aRestartKeepsTheOrderOfUseAndTheBound() throws IOException {
        var sums = SumsFolder.open(folder, MIB);
        for (var digits : new String[] {A, B, C}) {
            sums.write(digits, sums(1));
        }
        used(A, 20);
        used(B, 30);
        used(C, 10);

        SumsFolder.open(folder, TWO_FILES);
        assertThat(names()).containsExactlyInAnyOrder(A + ".sums", B + ".sums");
    }

    @Test
    void sumsLargerThanTheBoundAreNotWritten() throws IOException {
        SumsFolder.open(folder, TWO_FILES).write(A, sums(2_000_000));
        assertThat(names()).isEmpty();
    }

    @Test
    void damagedSumsAreDeletedAndMayBeWrittenAgain() throws IOException {
        var sums = SumsFolder.open(folder, MIB);
        sums.write(A, sums(5_000));
        var bytes = Files.readAllBytes(folder.resolve(A + ".sums"));
        bytes[bytes.length / 2] ^= 1;
        Files.write(folder.resolve(A + ".sums"), bytes);

        assertThat(sums.read(A)).isEmpty();
        assertThat(names()).isEmpty();
        sums.write(A, sums(5_000));
        assertThat(sums.read(A)).isPresent();
    }

    @Test
    void sumsCutAnywhereAreDeleted() throws IOException {
        var sums = SumsFolder.open(folder, MIB);
        var whole = SparseSumsFormat.encode(sums(3_000));
        for (int length = 0; length < whole.length; length++) {
            Files.write(folder.resolve(A + ".sums"), Arrays.copyOf(whole, length));
            assertThat(sums.read(A)).as("cut to %d", length).isEmpty();
            assertThat(names()).as("cut to %d", length).isEmpty();
        }
    }

    @Test
    void aFileOfAnotherBuildStaysAsItIs() throws IOException {
        var sums = SumsFolder.open(folder, TWO_FILES);
        sums.write(A, sums(1));
        var file = folder.resolve(A + ".sums");
        var newer = Files.readAllBytes(file);
        ByteBuffer.wrap(newer).putInt(Integer.BYTES, SparseSumsFormat.FORMAT + 1);
        Files.write(file, newer);

        assertThat(sums.read(A)).isEmpty();
        sums.write(A, sums(1));
        assertThat(file).hasBinaryContent(newer);

        var restarted = SumsFolder.open(folder, TWO_FILES);
        restarted.write(B, sums(1));
        restarted.write(C, sums(1));
        assertThat(file).as("not counted, so not in the way either").hasBinaryContent(newer);
        assertThat(names()).contains(B + ".sums", C + ".sums");
    }

    @Test
    void whatACrashLeftIsRemovedAndWhatIsNotOursStays() throws IOException {
        Files.createDirectories(folder);
        Files.write(folder.resolve(A + ".0.tmp"), new byte[100]);
        Files.write(folder.resolve("notes.txt"), new byte[100]);
        Files.createDirectories(folder.resolve(B + ".sums"));

        SumsFolder.open(folder, 0);
        assertThat(names()).containsExactlyInAnyOrder("notes.txt", B + ".sums");
    }

    @Test
    void aFolderThatIsGoneHoldsNothingAndFailsNobody() throws IOException {
        var sums = SumsFolder.open(folder, MIB);
        Files.delete(folder);
        Files.write(folder, new byte[1]);

        assertThat(sums.offHeap(sums(1_000_000)).total()).isEqualTo(7_000_000);
        assertThatCode(() -> sums.write(A, sums(1))).doesNotThrowAnyException();
        assertThat(sums.read(A)).isEmpty();
    }

    @Test
    void aNameThatIsTakenHoldsNothingAndFailsNobody() throws IOException {
        var sums = SumsFolder.open(folder, MIB);
        Files.createDirectories(folder.resolve(A + ".sums").resolve("in the way"));

        assertThatCode(() -> sums.write(A, sums(1))).doesNotThrowAnyException();
        assertThat(sums.read(A)).isEmpty();
        assertThat(names()).as("no temporary file is left").containsExactly(A + ".sums");
    }

    private static SparseSums sums(long samples) {
        return SparseSums.of(samples, _ -> 7);
    }

    private void used(String digits, long second) throws IOException {
        Files.setLastModifiedTime(folder.resolve(digits + ".sums"), FileTime.from(Instant.ofEpochSecond(second)));
    }

    private Stream<String> names() {
        var names = folder.toFile().list();
        return Stream.of(names == null ? new String[0] : names);
    }
}

package io.tarpon.blocks.disk;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.tarpon.testkit.Deadline;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockFolderTest {
    private static final int BLOCKS = 20_000;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    @Test
    void nameIsGivenOnceAndGoesWithTheFolder() throws IOException {
        var path = Files.createDirectories(folder.resolve("a"));
        assertThatThrownBy(() -> BlockFolder.read(path)).isInstanceOf(NoSuchFileException.class);
        var named = BlockFolder.named(path);
        assertThat(BlockFolder.named(path)).isEqualTo(named);
        var moved = Files.move(path, folder.resolve("b"));
        assertThat(BlockFolder.read(moved).id()).isEqualTo(named.id());
    }

    @Test
    void fileIsAsItsFormatSays() throws IOException {
        new BlockFolder(folder, "0123456789abcdef0123456789abcdef").write();
        assertThat(folder.resolve("FOLDER")).hasContent("TARPON-BLOCK-FOLDER 1 0123456789abcdef0123456789abcdef\n");
        assertThat(folder.resolve("FOLDER.new")).doesNotExist();
    }

    @Test
    void nameOfAnotherFormatIsRefusedAndLeftAlone() throws IOException {
        var file = folder.resolve("FOLDER");
        Files.writeString(file, "TARPON-BLOCK-FOLDER 2 whatever comes\n");
        assertThatThrownBy(() -> BlockFolder.named(folder)).isInstanceOf(CorruptFormatException.class);
        Files.writeString(file, "TARPON-BLOCK-FOLDER 2 " + "0".repeat(32) + "\n");
        assertThatThrownBy(() -> BlockFolder.named(folder))
                .isInstanceOf(UnknownFormatException.class)
                .hasMessageContaining("format 2");
        assertThat(file).hasContent("TARPON-BLOCK-FOLDER 2 " + "0".repeat(32) + "\n");
    }

    @Test
    void orderInWhichFoldersAreToldMovesNothing() {
        var folders = folders(7);
        var random = new Random(1);
        for (var i = 0; i < 100; i++) {
            var block = new BlockId(random.nextLong(), random.nextLong());
            var ranked = BlockFolder.ranked(block, folders);
            var shuffled = new ArrayList<>(folders);
            Collections.shuffle(shuffled, random);
            assertThat(BlockFolder.ranked(block, shuffled)).isEqualTo(ranked).hasSize(7);
        }
    }

    @Test
    void folderThatComesOrGoesMovesItsOwnShareOnly() {
        var three = folders(3);
        var four = folders(4);
        var random = new Random(2);
        var moved = 0;
        for (var i = 0; i < BLOCKS; i++) {
            var block = new BlockId(random.nextLong(), random.nextLong());
            var before = BlockFolder.ranked(block, three).getFirst();
            var after = BlockFolder.ranked(block, four);
            if (!after.getFirst().equals(before)) {
                moved++;
                assertThat(after.getFirst()).isEqualTo(four.getLast());
                assertThat(after.get(1)).as("where it was is the second place").isEqualTo(before);
            }
        }
        assertThat(moved / (double) BLOCKS).isCloseTo(1 / 4.0, within(0.02));
    }

    @Test
    void placesAreThoseOfTheNodeWhateverTheOrder() throws IOException {
        var paths = new ArrayList<String>();
        var named = new ArrayList<BlockFolder>();
        for (var i = 0; i < 3; i++) {
            var path = Files.createDirectories(folder.resolve("disk-" + i));
            named.add(BlockFolder.named(path));
            paths.add(path.toString());
        }
        var known = new KnownFolders(Duration.ofMinutes(1), PATIENCE);
        var random = new Random(3);
        for (var i = 0; i < 100; i++) {
            var block = new BlockId(random.nextLong(), random.nextLong());
            var ranked = BlockFolder.ranked(block, named);
            assertThat(known.places(paths, block))
                    .containsExactly(ranked.get(0).file(block), ranked.get(1).file(block));
            assertThat(known.places(paths.reversed(), block)).isEqualTo(known.places(paths, block));
        }
    }

    @Test
    void folderWithoutNameIsPassedOver() throws IOException {
        var path = Files.createDirectories(folder.resolve("disk"));
        var id = new BlockId(1, 2);
        var known = new KnownFolders(Duration.ZERO, PATIENCE);
        assertThat(known.places(List.of(path.toString()), id)).isEmpty();
        var named = BlockFolder.named(path);
        assertThat(known.places(List.of(path.toString(), folder.resolve("none").toString()), id))
                .containsExactly(named.file(id));
    }

    /// A named pipe in the name's place: who opens it waits until there is a writer, as at a disk that hangs.
    @Test
    void folderThatHangsIsWaitedForOnceAndThenPassedOver() throws Exception {
        var path = Files.createDirectories(folder.resolve("disk"));
        var hung = Files.createDirectories(folder.resolve("hung"));
        var name = BlockFolder.named(path);
        var pipe = hung.resolve(BlockFolder.FILE);
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        var known = new KnownFolders(Duration.ofMinutes(1), Duration.ofMillis(100));
        var folders = List.of(hung.toString(), path.toString());
        assertThat(known.places(folders, new BlockId(1, 2))).containsExactly(name.file(new BlockId(1, 2)));

        // Patience is with a reading, not with each that asks: a thousand would wait for 100 s else.
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
            for (var i = 0; i < 1000; i++) {
                assertThat(known.places(folders, new BlockId(1, i))).containsExactly(name.file(new BlockId(1, i)));
            }
        });

        var back = new BlockFolder(hung, "0123456789abcdef0123456789abcdef");
        try (var writer = Files.newOutputStream(pipe)) {
            writer.write(("TARPON-BLOCK-FOLDER 1 " + back.id() + "\n").getBytes(US_ASCII));
        }
        Deadline.until(
                "the disk is back",
                () -> known.places(folders, new BlockId(1, 2)).size() == 2);
        assertThat(known.places(folders, new BlockId(1, 2))).contains(back.file(new BlockId(1, 2)));
    }

    private List<BlockFolder> folders(int count) {
        var folders = new ArrayList<BlockFolder>();
        for (var i = 0; i < count; i++) {
            folders.add(new BlockFolder(folder.resolve("disk-" + i), "%032x".formatted(i * 7919L + 11)));
        }
        return folders;
    }
}

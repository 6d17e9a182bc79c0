package io.tarpon.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.testkit.Deadline;
import io.tarpon.wire.block.BlockFileHeader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Comparator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files and folders that others remove or change while the node runs and has them open.
class BehindOurBackTest {
    @TempDir
    Path folder;

    private Workshop workshop;
    private TestShard shard;
    private TestNode node;

    @BeforeEach
    void start() throws Exception {
        workshop = new Workshop(folder);
        shard = workshop.shard;
        node = workshop.node("node-1", "block.file-look", "PT0S");
        for (var block = 0; block < 2; block++) {
            assertThat(node.get(shard.url(block)).body()).isEqualTo(shard.block(block));
        }
        Deadline.until("stored", () -> node.wiring.facts().fills() == 0);
    }

    @AfterEach
    void stop() throws Exception {
        workshop.close();
    }

    @Test
    void removedFileIsFilledAgainAtTheNextRead() throws Exception {
        Files.delete(node.file(shard.id(0)));

        var answer = node.get(shard.url(0));

        assertThat(answer.body()).isEqualTo(shard.block(0));
        assertThat(answer.headers().firstValue("Tarpon-Block")).hasValue("miss");
        Deadline.until("stored", () -> node.wiring.facts().fills() == 0);
        assertThat(node.file(shard.id(0))).exists();
        assertThat(node.wiring.facts().blocks()).isEqualTo(2);
    }

    @Test
    void removedFileIsCountedNoLonger() throws Exception {
        Files.delete(node.file(shard.id(0)));

        assertThat(TestNode.problem(node.get(shard.url(0) + "&fill=none"))).isEqualTo("404 not-found");
        assertThat(node.wiring.facts().blocks()).isEqualTo(1);
        assertThat(node.wiring.facts().bytes()).isEqualTo(Files.size(node.file(shard.id(1))));
    }

    @Test
    void removedDataFolderIsMadeAgainAndFilledWhileTheNodeRuns() throws Exception {
        remove(node.data());

        for (var block = 0; block < shard.index().blockCount(); block++) {
            assertThat(node.get(shard.url(block)).body()).isEqualTo(shard.block(block));
        }

        Deadline.until("stored", () -> node.wiring.facts().fills() == 0);
        assertThat(node.wiring.facts().blocks()).isEqualTo(shard.index().blockCount());
        assertThat(node.get(shard.url(0)).headers().firstValue("Tarpon-Block")).hasValue("hit");
        assertThatThrownBy(() ->
                        workshop.node("node-2", "block.data-dirs", node.data().toString()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("in use");
    }

    @Test
    void blocksOfARemovedDataFolderAreCountedNoLonger() throws Exception {
        remove(node.data());

        assertThat(node.get(shard.url(2)).body()).isEqualTo(shard.block(2));

        Deadline.until("stored", () -> node.wiring.facts().fills() == 0);
        assertThat(node.wiring.facts().blocks()).isEqualTo(1);
    }

    @Test
    void bitFlippedInAFileThatIsOpenAndVerifiedIsMended() throws Exception {
        change(BlockFileHeader.BYTES + 300_000);

        assertThat(node.get(shard.url(0)).body()).isEqualTo(shard.block(0));

        assertThat(node.names("bad")).containsExactly(shard.id(0) + ".bad");
        assertThat(node.count("tarpon.block.reads", "result", "bad")).isEqualTo(1);
    }

    @Test
    void headerChangedInAFileThatIsOpenIsMended() throws Exception {
        change(60);

        assertThat(node.get(shard.url(0)).body()).isEqualTo(shard.block(0));

        assertThat(node.names("bad")).containsExactly(shard.id(0) + ".bad");
    }

    @Test
    void fileReplacedByThatOfAnotherBlockIsNotServed() throws Exception {
        Files.copy(node.file(shard.id(1)), node.file(shard.id(0)), StandardCopyOption.REPLACE_EXISTING);

        assertThat(node.get(shard.url(0)).body()).isEqualTo(shard.block(0));

        assertThat(node.names("bad")).containsExactly(shard.id(0) + ".bad");
        assertThat(node.get(shard.url(1)).body()).isEqualTo(shard.block(1));
    }

    @Test
    void openFileIsBelievedForTheConfiguredTimeAndNoLonger() throws Exception {
        var other = workshop.node("node-2", "block.file-look", "PT0.3S");
        assertThat(other.get(shard.url(0)).statusCode()).isEqualTo(200);
        Deadline.until("stored", () -> other.wiring.facts().fills() == 0);
        Files.delete(other.file(shard.id(0)));

        Deadline.until("noticed", () -> other.get(shard.url(0) + "&fill=none").statusCode() == 404);
    }

    /// In place, as a program does that writes where it should not; the file's time says when.
    private void change(long at) throws IOException {
        var file = node.file(shard.id(0));
        try (var bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(at);
            var old = bytes.read();
            bytes.seek(at);
            bytes.write(old ^ 1);
        }
        // A coarse clock may give two writes within some milliseconds one time.
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(1)));
    }

    private static void remove(Path tree) throws IOException {
        try (var files = Files.walk(tree)) {
            for (var path : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}

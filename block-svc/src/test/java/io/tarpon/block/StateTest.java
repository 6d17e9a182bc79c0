package io.tarpon.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.testkit.Deadline;
import io.tarpon.wire.Digests;
import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a node finds in its folders when it starts.
class StateTest {
    @TempDir
    Path folder;

    private Workshop workshop;
    private TestShard shard;

    @BeforeEach
    void start() throws Exception {
        workshop = new Workshop(folder);
        shard = workshop.shard;
        var node = workshop.node("node-1");
        node.get(shard.url(0));
        node.get(shard.url(1));
        Deadline.until("stored", () -> node.wiring.facts().blocks() == 2);
        workshop.stop(node);
    }

    @AfterEach
    void stop() throws Exception {
        workshop.close();
    }

    @Test
    void lostIndexIsMadeAgainFromTheBlockFiles() throws Exception {
        delete(state().resolve("indexes"));

        var node = workshop.node("node-1");

        assertThat(node.wiring.facts().blocks()).isEqualTo(2);
        assertThat(node.wiring.facts().bytes())
                .isEqualTo(Files.size(node.file(shard.id(0))) + Files.size(node.file(shard.id(1))));
        assertThat(node.get(shard.url(0) + "&fill=none").body()).isEqualTo(shard.block(0));
        assertThat(workshop.store.opens()).isEqualTo(2);
    }

    @Test
    void indexOfAllFoldersTogetherGivesWayToOneForEach() throws Exception {
        var old = Files.createDirectories(state().resolve("index"));
        Files.writeString(old.resolve("CURRENT"), "of an earlier build");

        var node = workshop.node("node-1");

        assertThat(old).doesNotExist();
        assertThat(node.wiring.facts().blocks()).isEqualTo(2);
    }

    @Test
    void unreadableIndexIsMadeAgainFromTheBlockFiles() throws Exception {
        try (var files = Files.list(TestNode.index(state(), state().resolve("data")))) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                Files.write(file, new byte[] {1, 2, 3});
            }
        }

        assertThat(workshop.node("node-1").wiring.facts().blocks()).isEqualTo(2);
    }

    @Test
    void stateOfAnotherFormatStopsTheStartAndChangesNothing() throws Exception {
        var format = state().resolve("FORMAT");
        Files.writeString(format, "TARPON-BLOCK-STATE 2\n");
        var before = contents();

        assertThatThrownBy(() -> workshop.node("node-1"))
                .isInstanceOf(UnknownFormatException.class)
                .hasMessageContaining(format.toString())
                .hasMessageContaining("format 2")
                .hasMessageContaining("format 1");
        assertThat(contents()).isEqualTo(before);
    }

    @Test
    void folderThatIsNoStateFolderStopsTheStart() throws Exception {
        Files.writeString(state().resolve("FORMAT"), "something else\n");

        assertThatThrownBy(() -> workshop.node("node-1")).isInstanceOf(CorruptFormatException.class);
    }

    @Test
    void dataFolderServesOneNodeOnly() throws Exception {
        var first = workshop.node("node-1");
        var shared = first.data().toString();

        assertThatThrownBy(() -> workshop.node("node-2", "block.data-dirs", shared))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(shared)
                .hasMessageContaining("in use");
        assertThat(first.get(shard.url(0)).body()).isEqualTo(shard.block(0));
    }

    @Test
    void filesThatLieWhereNobodyLooksAreLeftAlone() throws Exception {
        var data = state().resolve("data");
        var lost = Files.createDirectories(data.resolve("ff")).resolve(shard.id(0) + ".blk");
        Files.move(data.resolve(shard.id(0).hex().substring(0, 2)).resolve(shard.id(0) + ".blk"), lost);

        var node = workshop.node("node-1");

        assertThat(lost).exists();
        assertThat(node.wiring.facts().blocks()).isEqualTo(1);
        assertThat(node.get(shard.url(0)).body()).isEqualTo(shard.block(0));
    }

    private Path state() {
        return folder.resolve("node-1").resolve("state");
    }

    private Map<String, String> contents() throws IOException {
        var contents = new TreeMap<String, String>();
        try (var files = Files.walk(state())) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                contents.put(file.toString(), Digests.sha256Hex(Files.readAllBytes(file)));
            }
        }
        return contents;
    }

    private static void delete(Path tree) throws IOException {
        try (var files = Files.walk(tree)) {
            for (var path : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}

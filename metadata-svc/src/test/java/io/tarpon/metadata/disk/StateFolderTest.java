package io.tarpon.metadata.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFolderTest {
    @TempDir
    Path temp;

    @Test
    void aNewFolderIsOursAlone() throws IOException {
        try (var folder = StateFolder.open(temp.resolve("new/metadata"))) {
            assertThat(folder.log()).hasParentRaw(temp.resolve("new/metadata"));
        }
        assertThat(Files.readString(temp.resolve("new/metadata/FORMAT"))).isEqualTo("TARPON-METADATA 1\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(temp.resolve("new/metadata"))))
                .isEqualTo("rwx------");
    }

    @Test
    void aFolderOpensAgain() throws IOException {
        StateFolder.open(temp).close();
        StateFolder.open(temp).close();
        assertThat(temp.resolve("FORMAT")).exists();
    }

    @Test
    void anotherFormatStopsTheStartAndChangesNothing() throws IOException {
        Files.writeString(temp.resolve("FORMAT"), "TARPON-METADATA 3\n");
        assertThatThrownBy(() -> StateFolder.open(temp))
                .isInstanceOf(UnknownFormatException.class)
                .hasMessageContaining(temp.resolve("FORMAT").toString())
                .hasMessageContaining("format 3")
                .hasMessageContaining("format 2");
        try (var files = Files.list(temp)) {
            assertThat(files).containsExactly(temp.resolve("FORMAT"));
        }
    }

    @Test
    void aFolderThatFollowsATopicRemembersIt() throws IOException {
        try (var folder = StateFolder.openFollowing(temp)) {
            assertThat(folder.topic().id()).isEmpty();
            folder.topic().follow("Zp1KZHJ0T9mDGMUyZXmSFg");
        }
        try (var folder = StateFolder.openFollowing(temp)) {
            assertThat(folder.topic().id()).contains("Zp1KZHJ0T9mDGMUyZXmSFg");
        }
        Files.writeString(temp.resolve("TOPIC"), "TARPON-TOPIC ../x");
        try (var folder = StateFolder.openFollowing(temp)) {
            assertThatThrownBy(() -> folder.topic().id()).isInstanceOf(CorruptFormatException.class);
        }
    }

    @Test
    void theIdOfTheLogOutlivesTheProcess() throws IOException {
        try (var folder = StateFolder.open(temp)) {
            assertThat(folder.logId().id()).isEmpty();
            folder.logId().follow("0123456789abcdef0123456789abcdef");
        }
        try (var folder = StateFolder.open(temp)) {
            assertThat(folder.logId().id()).contains("0123456789abcdef0123456789abcdef");
            Files.writeString(temp.resolve("LOG-ID"), "something else");
            assertThatThrownBy(() -> folder.logId().id())
                    .isInstanceOf(CorruptFormatException.class)
                    .hasMessageContaining("LOG-ID");
        }
    }

    @Test
    void aFolderIsOfOneKindForGood() throws IOException {
        StateFolder.open(temp.resolve("local")).close();
        assertThatThrownBy(() -> StateFolder.openFollowing(temp.resolve("local")))
                .hasMessageContaining("holds a metadata log");
        StateFolder.openFollowing(temp.resolve("kafka")).close();
        assertThatThrownBy(() -> StateFolder.open(temp.resolve("kafka")))
                .hasMessageContaining("follows a log in Kafka");
    }

    @Test
    void aDamagedFormatFileStopsTheStart() throws IOException {
        Files.writeString(temp.resolve("FORMAT"), "TARPON-");
        assertThatThrownBy(() -> StateFolder.open(temp)).isInstanceOf(CorruptFormatException.class);
    }

    @Test
    void aStrangersFolderIsLeftAlone() throws IOException {
        Files.writeString(temp.resolve("thesis.txt"), "precious");
        assertThatThrownBy(() -> StateFolder.open(temp)).hasMessageContaining("thesis.txt");
        assertThat(temp.resolve("LOCK")).doesNotExist();
    }

    @Test
    void aFolderHasOneOwner() throws IOException {
        try (var folder = StateFolder.open(temp)) {
            assertThatThrownBy(() -> StateFolder.open(temp)).hasMessageContaining("in use");
            assertThat(folder.log()).isEmptyDirectory();
        }
    }

    @Test
    void aFolderWhoseMakerDiedBeforeItsFormatWasThereIsMadeAgain() throws IOException {
        Files.createFile(temp.resolve("LOCK"));
        Files.createFile(temp.resolve("FORMAT.tmp"));
        StateFolder.open(temp).close();
        assertThat(temp.resolve("FORMAT")).exists();
    }
}

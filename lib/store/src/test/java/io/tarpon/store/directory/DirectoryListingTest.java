package io.tarpon.store.directory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.store.KeyOrder;
import io.tarpon.store.SourceObject;
import io.tarpon.store.SourceObject.Kind;
import io.tarpon.store.StorageFailures;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a folder can hold beside well-named files.
class DirectoryListingTest {
    @TempDir
    Path root;

    @Test
    void linksPipesAndSocketsAreListedAndNotFollowed() throws Exception {
        Files.createDirectories(root.resolve("in/side"));
        Files.writeString(root.resolve("in/side/file"), "x");
        Files.createSymbolicLink(root.resolve("dangling"), Path.of("nowhere"));
        Files.createSymbolicLink(root.resolve("dir-link"), root.resolve("in"));
        Files.createSymbolicLink(root.resolve("file-link"), root.resolve("in/side/file"));
        Files.createSymbolicLink(root.resolve("loop"), root);
        shell("mkfifo pipe");
        try (var socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(root.resolve("socket")));
            assertThat(list())
                    .extracting(SourceObject::key, SourceObject::kind)
                    .containsExactly(
                            tuple("dangling", Kind.NOT_REGULAR),
                            tuple("dir-link", Kind.NOT_REGULAR),
                            tuple("file-link", Kind.NOT_REGULAR),
                            tuple("in/side/file", Kind.FILE),
                            tuple("loop", Kind.NOT_REGULAR),
                            tuple("pipe", Kind.NOT_REGULAR),
                            tuple("socket", Kind.NOT_REGULAR));
        }
    }

    @Test
    void everythingThatFindCountsIsListed() throws Exception {
        shell(
                "mkdir -p a/b .hidden; touch a/1 a/b/2 .hidden/3 .dot _SUCCESS; ln -s a link; mkfifo p; touch \"$(printf 'bad\\377')\"");
        String found = shell("find . ! -type d -printf x | wc -c");
        assertThat(list()).hasSize(Integer.parseInt(found.strip()));
    }

    @Test
    void namesAreTakenVerbatim() throws Exception {
        var names = List.of(
                "\u0001control",
                " space ",
                "new\nline",
                "tab\t",
                "back\\slash",
                "100%",
                "a%2Fb",
                "e\u0301",
                "é",
                "\uFFFD",
                "quote\"'",
                ".dot",
                "_SUCCESS",
                "*",
                "?",
                "n".repeat(200),
                "ü".repeat(100),
                "😀");
        for (String name : names) {
            Files.writeString(root.resolve(name), name);
        }
        assertThat(list())
                .extracting(SourceObject::key)
                .containsExactlyElementsOf(
                        names.stream().sorted(KeyOrder::compare).toList());
        for (SourceObject object : list()) {
            try (var in = source().open(object.key(), object.etag(), object.sizeBytes())) {
                assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo(object.key());
            }
        }
    }

    @Test
    void aNameThatIsNotUtf8IsListedInAFormThatPrints() throws Exception {
        shell(
                "printf x > \"$(printf 'caf\\351 1.jpg')\"; d=\"$(printf 'dir\\377')\"; mkdir \"$d\"; printf x > \"$d/inside.jpg\"; printf x > ok");
        assertThat(list())
                .extracting(SourceObject::key, SourceObject::kind)
                .containsExactly(
                        tuple("caf%E9%201.jpg", Kind.UNDECODABLE),
                        tuple("dir%FF/inside.jpg", Kind.UNDECODABLE),
                        tuple("ok", Kind.FILE));
    }

    @Test
    void aSparseFileOfEightGibibytesIsListedWithItsSize() throws Exception {
        try (var file = new RandomAccessFile(root.resolve("huge.bin").toFile(), "rw")) {
            file.setLength(8L << 30);
        }
        assertThat(list()).singleElement().extracting(SourceObject::sizeBytes).isEqualTo(8L << 30);
    }

    @Test
    void aFolderSortsAsItsNameAndASlash() throws Exception {
        shell("mkdir a a-b a.d; touch a.jpg a/x a-b/x a-b.txt a.d/x a! a0 a-");
        assertThat(list())
                .extracting(SourceObject::key)
                .containsExactly("a!", "a-", "a-b.txt", "a-b/x", "a.d/x", "a.jpg", "a/x", "a0");
    }

    @Test
    void anyTreeIsListedInTheOrderOfItsBytes() throws Exception {
        long seed = 7;
        var random = new Random(seed);
        for (int i = 0; i < 400; i++) {
            var key = new StringBuilder();
            for (int depth = random.nextInt(3); depth >= 0; depth--) {
                for (int chars = 1 + random.nextInt(3); chars > 0; chars--) {
                    key.append(List.of("a", "b", "-", "!", "0", "é", "😀", "\uFF01")
                            .get(random.nextInt(8)));
                }
                key.append(depth == 0 ? "" : "/");
            }
            putIfPossible(root.resolve(key.toString()));
        }
        List<String> keys = list().stream().map(SourceObject::key).toList();
        assertThat(keys).as("seed %d", seed).hasSizeGreaterThan(200);
        assertThat(keys)
                .as("seed %d", seed)
                .isSortedAccordingTo((a, b) -> Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8)));
        assertThat(keys).doesNotHaveDuplicates();
        assertThat(keys)
                .hasSize(Integer.parseInt(
                        shell("find . -type f -printf x | wc -c").strip()));
    }

    @Test
    void aFileAsRootIsRefusedByName() throws Exception {
        Path file = Files.writeString(root.resolve("file"), "x");
        assertThatThrownBy(() -> new DirectorySource(file).list(object -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file + ": a source must be a folder");
    }

    @Test
    void aFolderThatCannotBeReadIsNamed() throws Exception {
        Files.writeString(root.resolve("a"), "x");
        Path closed = Files.createDirectory(root.resolve("closed"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
        try {
            if (Files.isReadable(closed)) {
                System.out.println(
                        "NOT TESTED: a folder without read rights, because this user (root?) may read everything");
                return;
            }
            assertThatThrownBy(this::list)
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContaining(closed + ": this process may not list the folder");
        } finally {
            Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void whatVanishesWhileItIsListedIsLeftOut() throws Exception {
        shell("mkdir d; touch a b c d/x z");
        var seen = new ArrayList<String>();
        source().list(object -> {
            seen.add(object.key());
            if (object.key().equals("a")) {
                Files.delete(root.resolve("b"));
                Files.delete(root.resolve("d/x"));
                Files.delete(root.resolve("d"));
            }
        });
        assertThat(seen).containsExactly("a", "c", "z");
    }

    @Test
    void aRootThatGoesAwayBreaksTheListingWhichGoesOnWhenItIsBack() throws Exception {
        shell("mkdir in in/d; touch in/a in/b in/c in/d/x in/z");
        Path in = root.resolve("in");
        Path away = root.resolve("away");
        var source = new DirectorySource(in);
        var seen = new ArrayList<String>();
        mayPass(() -> source.list(object -> {
            seen.add(object.key());
            Files.move(in, away);
        }));
        assertThat(seen).containsExactly("a");

        mayPass(() -> source.listAfter("a", object -> seen.add(object.key())));
        Files.createDirectory(in);
        mayPass(() -> source.listAfter("a", object -> seen.add(object.key())));

        Files.delete(in);
        Files.move(away, in);
        source.listAfter("a", object -> seen.add(object.key()));
        assertThat(seen).containsExactly("a", "b", "c", "d/x", "z");
    }

    @Test
    void aBareMountPointInTheRootsPlaceBreaksTheListingAlsoAfterItsLastName() throws Exception {
        shell("mkdir in; touch in/a in/b");
        Path in = root.resolve("in");
        for (String last : List.of("a", "b")) {
            mayPass(() -> new DirectorySource(in).list(object -> {
                if (object.key().equals(last)) {
                    Files.move(in, root.resolve("away"));
                    Files.createDirectory(in);
                }
            }));
            Files.delete(in);
            Files.move(root.resolve("away"), in);
        }
    }

    private void mayPass(org.assertj.core.api.ThrowableAssert.ThrowingCallable listing) {
        assertThatThrownBy(listing)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not there, or is another: " + root.resolve("in"))
                .matches(failure -> !StorageFailures.isFinal((IOException) failure), "may pass");
    }

    private static void putIfPossible(Path file) throws IOException {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, "x");
        } catch (IOException e) {
            // A file stands where this one needs a folder, or the other way round.
        }
    }

    private String shell(String command) throws Exception {
        var process = new ProcessBuilder("sh", "-c", command)
                .directory(root.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private DirectorySource source() {
        return new DirectorySource(root);
    }

    private List<SourceObject> list() throws IOException {
        var objects = new ArrayList<SourceObject>();
        source().list(objects::add);
        return objects;
    }

    private static org.assertj.core.groups.Tuple tuple(Object... values) {
        return org.assertj.core.groups.Tuple.tuple(values);
    }
}

package io.tarpon.store.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tarpon.testkit.FullDisk;
import io.tarpon.testkit.Jvm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A store on a disk of 16 MiB that is full. The disk is a tmpfs in a namespace of a process of its own; where the
/// system allows no such thing to ordinary users, this is skipped and says so.
class FullStoreDiskTest {
    private static final int LARGE = 4 << 20;

    @TempDir
    Path folder;

    @Test
    void fullDiskTakesNothingShowsNothingHalfAndServesAndDeletes() throws Exception {
        assumeTrue(FullDisk.isToBeHad(), "no mount namespaces here: a full disk cannot be had");
        var disk = folder.resolve("disk");
        var command = Jvm.command(FullStoreDiskTest.class, List.of("-Xmx64m"), disk.toString());
        var errors = folder.resolve("stderr");
        var said = FullDisk.said(disk, "size=16m", command, errors);
        assertThat(said)
                .as(Files.readString(errors))
                .containsExactly(
                        "disk full",
                        "write refused",
                        "upload refused",
                        "objects [kept]",
                        "read kept",
                        "half an upload refused",
                        "objects [kept]",
                        "objects []",
                        "written again",
                        "objects [again, more]");
    }

    /// The process: a folder on the disk.
    public static void main(String[] args) throws Exception {
        var disk = Path.of(args[0]);
        var ballast = disk.resolve("ballast");
        try (var store = DirectoryStore.open(disk.resolve("store"))) {
            store.write("kept", bytes(1));
            FullDisk.fill(ballast);
            System.out.println("disk full");
            refused("write", () -> store.write("lost", bytes(2)));
            refused("upload", () -> upload(store, "lost"));
            say(store);
            System.out.println(Arrays.equals(store.read("kept", LARGE), bytes(1)) ? "read kept" : "read another");
            Files.delete(ballast);
            // Room for the first half and not for the second.
            Files.write(ballast, new byte[(int) (Files.getFileStore(disk).getUsableSpace() - LARGE / 2)]);
            refused("half an upload", () -> upload(store, "lost"));
            say(store);
            store.delete("kept");
            say(store);
            Files.delete(ballast);
            store.write("again", bytes(3));
            upload(store, "more");
            if (Arrays.equals(store.read("again", LARGE), bytes(3))) {
                System.out.println("written again");
            }
            say(store);
        }
    }

    private interface Act {
        void run() throws IOException;
    }

    private static void refused(String what, Act act) {
        try {
            act.run();
            System.out.println(what + " taken");
        } catch (IOException e) {
            System.err.println(what + ": " + e);
            System.out.println(what + " refused");
        }
    }

    private static void upload(DirectoryStore store, String key) throws IOException {
        try (var upload = store.upload(key)) {
            for (int part = 0; part < LARGE; part += 64 << 10) {
                upload.write(ByteBuffer.allocate(64 << 10));
            }
            upload.complete();
        }
    }

    private static void say(DirectoryStore store) throws IOException {
        var keys = new ArrayList<String>();
        store.list("", object -> keys.add(object.key()));
        System.out.println("objects " + keys);
    }

    private static byte[] bytes(int seed) {
        var bytes = new byte[LARGE];
        Arrays.fill(bytes, (byte) seed);
        return bytes;
    }
}

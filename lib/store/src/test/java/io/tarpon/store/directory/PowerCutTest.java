package io.tarpon.store.directory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.testkit.power.PowerCut;
import io.tarpon.testkit.power.PowerCutDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The power goes before each step that a store takes on its disk; of what a disk may keep then, some states are
/// opened.
class PowerCutTest {
    private static final int STATES = 4;
    private static final int BYTES = 10_000;
    private static final List<String> KEYS = List.of("plain", "a/b/first", "a/b/second", "a/c");

    @TempDir
    Path scratch;

    /// What is certain of a key, and what else may be there.
    private static final class Promised {
        final Map<String, Optional<byte[]>> certain = new HashMap<>();
        Optional<String> open = Optional.empty();
        Optional<byte[]> instead = Optional.empty();
    }

    @Test
    void whatWasWrittenIsThereWholeAndWhatWasNotIsOldOrNew() throws Exception {
        var seed = System.nanoTime();
        System.out.println("power cuts of seed " + seed);
        var random = new Random(seed);
        var steps = new PowerCutDisk();
        work(steps, new Promised());
        assertThat(steps.steps()).isGreaterThan(50);
        var lost = 0;
        for (int step = 0; step < steps.steps(); step++) {
            var disk = new PowerCutDisk();
            var promised = new Promised();
            disk.cutAt(step);
            try {
                work(disk, promised);
                throw new AssertionError("the power went on at step " + step);
            } catch (PowerCut e) {
                // As ordered.
            }
            for (int state = 0; state < STATES; state++) {
                var folder = scratch.resolve(step + "-" + state);
                disk.leave(folder, random);
                lost += holds(folder, promised, "seed " + seed + " step " + step + " state " + state);
            }
        }
        assertThat(lost).as("states in which something was lost that might be").isPositive();
    }

    private static void work(PowerCutDisk disk, Promised promised) throws IOException {
        // Closed also without power, when it changes nothing: as long as it lives its leftovers are not another's to
        // remove.
        try (var store = DirectoryStore.open(disk.root().resolve("home").resolve("store"))) {
            writeOverwriteAndDelete(store, promised);
        }
    }

    private static void writeOverwriteAndDelete(DirectoryStore store, Promised promised) throws IOException {
        for (int round = 0; round < 2; round++) {
            for (var key : KEYS) {
                write(store, key, bytes(key, round), promised);
            }
        }
        promised.open = Optional.of("a/b/first");
        promised.instead = Optional.empty();
        store.delete("a/b/first");
        promised.certain.put("a/b/first", Optional.empty());
        promised.open = Optional.empty();
        write(store, "a/b/first", bytes("again", 2), promised);
    }

    private static void write(DirectoryStore store, String key, byte[] bytes, Promised promised) throws IOException {
        promised.open = Optional.of(key);
        promised.instead = Optional.of(bytes);
        store.write(key, bytes);
        promised.certain.put(key, Optional.of(bytes));
        promised.open = Optional.empty();
    }

    /// Opens what is left; returns 1 where what was under way is not there.
    private static int holds(Path disk, Promised promised, String as) throws IOException {
        var lost = 0;
        try (var store = DirectoryStore.open(disk.resolve("home").resolve("store"))) {
            var listed = new ArrayList<String>();
            store.list("", object -> listed.add(object.key()));
            for (var key : KEYS) {
                var there =
                        store.size(key).isPresent() ? Optional.of(store.read(key, BYTES)) : Optional.<byte[]>empty();
                assertThat(listed.contains(key)).as(as).isEqualTo(there.isPresent());
                var certain = promised.certain.getOrDefault(key, Optional.empty());
                if (!equal(there, certain)) {
                    assertThat(promised.open)
                            .as(as + " " + key + " is not as promised")
                            .contains(key);
                    assertThat(equal(there, promised.instead))
                            .as(as + " " + key + " is neither old nor new")
                            .isTrue();
                } else if (promised.open.equals(Optional.of(key))) {
                    lost = 1;
                }
            }
            store.write("after", "whole".getBytes(UTF_8));
            assertThat(store.read("after", BYTES)).asString(UTF_8).isEqualTo("whole");
            try (var sessions = Files.list(disk.resolve("home/store/.tmp"))) {
                assertThat(sessions.filter(Files::isDirectory))
                        .as(as + ": leftovers")
                        .hasSize(1);
            }
        }
        return lost;
    }

    private static boolean equal(Optional<byte[]> left, Optional<byte[]> right) {
        return left.isPresent() == right.isPresent()
                && Arrays.equals(left.orElse(new byte[0]), right.orElse(new byte[0]));
    }

    private static byte[] bytes(String key, int round) {
        var bytes = new byte[BYTES - round];
        new Random(key.hashCode() + round).nextBytes(bytes);
        return bytes;
    }
}

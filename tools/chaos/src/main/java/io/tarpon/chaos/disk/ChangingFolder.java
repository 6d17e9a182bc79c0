package io.tarpon.chaos.disk;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.wire.Digests;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// A source folder of labelled samples that is changed between ingests, and what it holds at each moment. From a seed.
/// Owned by one thread.
public final class ChangingFolder {
    private static final int CLASSES = 4;
    private static final int PER_CLASS = 40;
    private static final int MEAN_BYTES = 24 << 10;

    private final Path folder;
    private final Random random;
    private final Map<String, String> contents = new TreeMap<>();
    private int next;

    private ChangingFolder(Path folder, Random random) {
        this.folder = folder;
        this.random = random;
    }

    /// Makes the folder, filled.
    public static ChangingFolder make(Path folder, Random random) {
        var changing = new ChangingFolder(folder, random);
        changing.add(CLASSES * PER_CLASS);
        return changing;
    }

    /// Its real path, links resolved.
    public Path path() {
        try {
            return folder.toRealPath();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /// SHA-256 of each file by its name below the folder.
    public Map<String, String> contents() {
        return Map.copyOf(contents);
    }

    /// New samples, and sometimes some changed or gone.
    public void change() {
        add(1 + random.nextInt(CLASSES * PER_CLASS / 4));
        if (random.nextBoolean()) {
            for (int i = random.nextInt(3); i >= 0; i--) {
                write(any(), bytes());
            }
            remove(any());
        }
    }

    private void add(int samples) {
        for (int i = 0; i < samples; i++) {
            var label = next % CLASSES;
            var stem = String.format(Locale.ROOT, "class-%d/%06d", label, next++);
            write(stem + ".bin", bytes());
            write(stem + ".cls", Integer.toString(label).getBytes(StandardCharsets.US_ASCII));
        }
    }

    private String any() {
        var names = new ArrayList<>(contents.keySet());
        return names.get(random.nextInt(names.size()));
    }

    private byte[] bytes() {
        var bytes = new byte[MEAN_BYTES / 2 + random.nextInt(MEAN_BYTES)];
        random.nextBytes(bytes);
        return bytes;
    }

    private void write(String name, byte[] bytes) {
        try {
            var file = folder.resolve(name);
            Files.createDirectories(file.getParent());
            Files.write(file, bytes);
            contents.put(name, Digests.sha256Hex(bytes));
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private void remove(String name) {
        try {
            Files.delete(folder.resolve(name));
            contents.remove(name);
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private CommandFailure failure(IOException e) {
        return CommandFailure.failed("cannot change " + folder + ": " + e, "check its rights and the free space");
    }
}

package io.tarpon.bench.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/// Files such as a dataset has: `class-007/0000107.jpg`, of sizes spread evenly between half and one and a half
/// times the mean, of bytes that no compression makes smaller. The same numbers give the same files.
///
/// @param files how many; @param meanBytes of one
public record FileTree(int files, int meanBytes) {
    private static final int CLASSES = 100;
    private static final int NOISE_BYTES = 8 << 20;
    private static final long SEED = 7070;

    public FileTree {
        if (files < 1 || meanBytes < 2 || meanBytes > NOISE_BYTES / 2) {
            throw new IllegalArgumentException(files + " files of " + meanBytes + " bytes");
        }
    }

    /// Who takes the files, one by one in the order of their numbers.
    public interface Taker {
        void take(String name, byte[] bytes) throws IOException;
    }

    public static String name(int number) {
        return String.format(Locale.ROOT, "class-%03d/%07d.jpg", number % CLASSES, number);
    }

    /// Hands every file to `taker`; returns the bytes of all.
    public long each(Taker taker) throws IOException {
        var random = new SplittableRandom(SEED);
        var noise = new byte[NOISE_BYTES];
        random.nextBytes(noise);
        long total = 0;
        for (int number = 0; number < files; number++) {
            int length = random.nextInt(meanBytes / 2, meanBytes / 2 + meanBytes);
            int from = random.nextInt(NOISE_BYTES - length);
            taker.take(name(number), Arrays.copyOfRange(noise, from, from + length));
            total += length;
        }
        return total;
    }

    /// Writes them below `folder`; returns the bytes of all.
    public long write(Path folder) throws IOException {
        for (int number = 0; number < Math.min(files, CLASSES); number++) {
            Files.createDirectories(folder.resolve(name(number)).resolveSibling(""));
        }
        return each((name, bytes) -> Files.write(folder.resolve(name), bytes));
    }
}

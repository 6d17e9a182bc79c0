package io.tarpon.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// Source folders for tests: real files with names that real people use.
final class Folders {
    private Folders() {}

    /// `classes` folders of samples with an image-sized `.bin` and a small `.cls`, from a seed.
    static Path plain(Path folder, int classes, int perClass, int meanBytes, long seed) throws IOException {
        var random = new Random(seed);
        for (int label = 0; label < classes; label++) {
            var home = Files.createDirectories(folder.resolve("class-" + label));
            for (int i = 0; i < perClass; i++) {
                write(home.resolve("item-" + i + ".bin"), random, meanBytes / 2 + random.nextInt(meanBytes));
                Files.writeString(home.resolve("item-" + i + ".cls"), Integer.toString(label));
            }
        }
        return folder;
    }

    /// More samples of the same make into a folder of [#plain], numbered from `from`.
    static void more(Path folder, int from, int samples, int meanBytes, long seed) throws IOException {
        var random = new Random(seed);
        var home = Files.createDirectories(folder.resolve("class-0"));
        for (int i = from; i < from + samples; i++) {
            write(home.resolve("item-" + i + ".bin"), random, meanBytes / 2 + random.nextInt(meanBytes));
            Files.writeString(home.resolve("item-" + i + ".cls"), "0");
        }
    }

    /// Files below a folder whose path holds `part`, relative to it.
    static java.util.List<String> find(Path folder, String part) throws IOException {
        try (var files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .filter(name -> name.contains(part))
                    .sorted()
                    .toList();
        }
    }

    /// Everything that a folder of an ordinary day may hold and a tar must not stumble over.
    static Path awkward(Path folder, long seed) throws IOException {
        var random = new Random(seed);
        for (var name : new String[] {
            "a.jpg",
            "a.json",
            "UPPER.JPG",
            "two.seg.png",
            "two.jpg",
            "with space.jpg",
            "café.jpg",
            "emoji-😀.jpg",
            "tab\there.jpg",
            "new\nline.jpg",
            "quote'\".jpg",
            "empty.cls",
            "x..jpg",
            "dir.with.dots/inner.jpg",
            "between/a.cls",
            "between/a.d/inside.txt",
            "between/a.jpg",
            "deep/er/and/deeper/leaf.png",
            "no-extension",
            "trailing.",
            ".hidden",
            ".git/config",
            "twin.JPG",
            "twin.jpg",
            "_SUCCESS",
            "long/" + "n".repeat(120) + ".jpg",
            "r/taken.jpg",
            "__meta__/x.json"
        }) {
            var file = folder.resolve(name);
            Files.createDirectories(file.getParent());
            write(file, random, name.startsWith("empty") ? 0 : 1 + random.nextInt(3000));
        }
        Files.createSymbolicLink(folder.resolve("link.jpg"), folder.resolve("a.jpg"));
        return folder;
    }

    private static void write(Path file, Random random, int bytes) throws IOException {
        var content = new byte[bytes];
        random.nextBytes(content);
        Files.write(file, content);
    }

    /// What `find DIR ! -type d -printf x | wc -c` counts.
    static long count(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            return files.filter(path -> !Files.isDirectory(path, java.nio.file.LinkOption.NOFOLLOW_LINKS))
                    .count();
        }
    }

    /// Contents by path below the folder.
    static Map<String, String> contents(Path folder) throws IOException {
        var contents = new TreeMap<String, String>();
        try (var files = Files.walk(folder)) {
            for (var file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                contents.put(
                        folder.relativize(file).toString(), io.tarpon.wire.Digests.sha256Hex(Files.readAllBytes(file)));
            }
        }
        return contents;
    }
}

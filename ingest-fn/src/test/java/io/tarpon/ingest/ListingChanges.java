package io.tarpon.ingest;

import io.tarpon.store.SourceObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/// A source that people work on: files come, change and go, at random but by a seed.
final class ListingChanges {
    private static final String[] EXTENSIONS = {"jpg", "cls", "JSON", "seg.png", "JPG"};
    private static final String[] ODD_FILES = {"README", "notes.", ".hidden.jpg", "a b.jpg", "été.txt", "r/x.jpg"};

    private final Random random;
    private final List<String> folders;
    private final TreeMap<String, SourceObject> objects = new TreeMap<>();
    private int named;
    private int written;

    /// @param folders each ends in `/`, or is empty
    ListingChanges(Random random, List<String> folders) {
        this.random = random;
        this.folders = folders;
    }

    List<SourceObject> objects() {
        return List.copyOf(objects.values());
    }

    /// New samples of one to four files.
    void add(int samples) {
        for (int i = 0; i < samples; i++) {
            var stem = pick(folders) + "c" + random.nextInt(4) + "/s" + random.nextInt(10_000) + "-" + named++;
            int files = 1 + random.nextInt(4);
            for (int file = 0; file < files; file++) {
                write(stem + "." + EXTENSIONS[random.nextInt(EXTENSIONS.length)]);
            }
        }
    }

    /// One to a few changes of any kind.
    void change() {
        for (int left = 1 + random.nextInt(6); left > 0; left--) {
            changeOne();
        }
    }

    private void changeOne() {
        switch (random.nextInt(8)) {
            case 0, 1 -> add(1 + random.nextInt(12));
            case 2 -> write(anyKey());
            case 3 -> objects.remove(anyKey());
            case 4 -> write(stem(anyKey()) + "." + EXTENSIONS[random.nextInt(EXTENSIONS.length)]);
            case 5 -> removeSample(stem(anyKey()));
            case 6 -> write(pick(folders) + ODD_FILES[random.nextInt(ODD_FILES.length)]);
            default -> {
                // A whole folder goes, but never the last sample of a split.
                var folder = pick(folders) + "c" + random.nextInt(4) + "/";
                if (random.nextInt(4) == 0) {
                    objects.keySet().removeIf(key -> key.startsWith(folder));
                    folders.forEach(each -> write(each + "stays.jpg"));
                }
            }
        }
    }

    private void removeSample(String stem) {
        objects.keySet().removeIf(key -> key.startsWith(stem + "."));
    }

    private void write(String key) {
        objects.put(key, SourceObject.file(key, random.nextInt(2_000), "e" + written++));
    }

    private String anyKey() {
        if (objects.isEmpty()) {
            add(1);
        }
        return new ArrayList<>(objects.keySet()).get(random.nextInt(objects.size()));
    }

    private static String stem(String key) {
        int dot = key.indexOf('.', key.lastIndexOf('/') + 1);
        return dot < 0 ? key : key.substring(0, dot);
    }

    private String pick(List<String> from) {
        return from.get(random.nextInt(from.size()));
    }
}

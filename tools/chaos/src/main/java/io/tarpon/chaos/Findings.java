package io.tarpon.chaos;

import java.util.ArrayList;
import java.util.List;

/// What was wrong, in words; the first ones of many. Safe for several threads.
final class Findings {
    private static final int MAX = 100;

    private final List<String> all = new ArrayList<>();
    private int left;

    synchronized void add(String what) {
        if (all.size() < MAX) {
            all.add(what);
        } else {
            left++;
        }
    }

    synchronized List<String> all() {
        var shown = new ArrayList<>(all);
        if (left > 0) {
            shown.add("… and " + left + " more");
        }
        return List.copyOf(shown);
    }
}

package io.tarpon.gateway.order;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Who gets which position, sample by sample in the words of contracts section 3 and with no arithmetic to save time.
final class DealtOut {
    final List<Long> positions = new ArrayList<>();
    long dropped;
    long padded;

    DealtOut(Share share, int samples) {
        var all = new ArrayList<Long>();
        for (long position = share.start();
                position < samples && position - share.start() < share.count();
                position++) {
            all.add(position);
        }
        var found = all.size();
        switch (share.tail()) {
            case KEEP -> {}
            case DROP -> {
                while (all.size() % share.stepPositions() != 0) {
                    all.removeLast();
                    dropped++;
                }
            }
            case PAD -> {
                while (all.size() % share.stepPositions() != 0) {
                    all.add(all.get(all.size() - found));
                    padded++;
                }
            }
        }
        deal(share, all);
    }

    private void deal(Share share, List<Long> all) {
        var own = IntStream.range(0, all.size())
                .filter(q -> q / share.batch() % share.world() == share.rank())
                .mapToObj(all::get)
                .toList();
        for (int batch = 0; batch * share.batch() < own.size(); batch++) {
            if (batch % share.workers() == share.worker()) {
                var end = Math.min(own.size(), (batch + 1) * share.batch());
                positions.addAll(own.subList(batch * share.batch(), end));
            }
        }
    }

    /// The positions of a body.
    static List<Long> positions(Partition partition) {
        var positions = new ArrayList<Long>();
        for (long i = 0; i < partition.samples(); i++) {
            positions.add(partition.position(i));
        }
        return positions;
    }
}

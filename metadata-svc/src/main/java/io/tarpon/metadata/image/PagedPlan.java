package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.entry.PlanPages;
import io.tarpon.metadata.entry.PlannedPart;
import io.tarpon.wire.Digests;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.metadata.PlannedSplit;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// The shards of a plan, cut so that each page goes into an entry.
///
/// @param id as [PlanPages] has it
/// @param pages in order, each with the parts of splits that are on it; none of a plan without shards
public record PagedPlan(String id, List<List<PlannedPart>> pages) {
    /// What an entry has beside the shards: its guards most of all, one for every version in work of the dataset.
    static final int ROOM_BYTES = 64 << 10;

    static final int MAX_PAGE_BYTES = MetadataLog.MAX_ENTRY_BYTES - ROOM_BYTES;

    public PagedPlan {
        pages = List.copyOf(pages);
    }

    /// Of the pages together. Only of a plan that has any.
    PlanPages name() {
        return new PlanPages(id, pages.size());
    }

    /// @param pageBytes of the JSON of the shards on one page; one shard is always taken
    static PagedPlan of(List<PlannedSplit> splits, int pageBytes) {
        return new Cut(pageBytes).of(splits);
    }

    private static final class Cut {
        private final MessageDigest sha = Digests.sha256();
        private final int pageBytes;
        private final List<List<PlannedPart>> pages = new ArrayList<>();
        private List<PlannedPart> page = new ArrayList<>();
        private List<PlannedShard> part = new ArrayList<>();
        private long bytes;

        private Cut(int pageBytes) {
            this.pageBytes = pageBytes;
        }

        private PagedPlan of(List<PlannedSplit> splits) {
            for (var split : splits) {
                hash("split " + split.name());
                for (var shard : split.shards()) {
                    add(split.name(), shard);
                }
                endPart(split.name());
            }
            endPage();
            return new PagedPlan(HexFormat.of().formatHex(sha.digest()), pages);
        }

        private void add(SplitName split, PlannedShard shard) {
            var json = Json.bytes(shard);
            if (bytes > 0 && bytes + json.length + 1 > pageBytes) {
                endPart(split);
                endPage();
            }
            sha.update(json);
            part.add(shard);
            bytes += json.length + 1;
        }

        private void endPart(SplitName split) {
            if (!part.isEmpty()) {
                page.add(new PlannedPart(split, part));
                part = new ArrayList<>();
            }
        }

        private void endPage() {
            if (!page.isEmpty()) {
                hash("end of page");
                pages.add(page);
                page = new ArrayList<>();
                bytes = 0;
            }
        }

        private void hash(String line) {
            sha.update((line + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }
}

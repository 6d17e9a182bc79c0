package io.tarpon.ingest.plan;

import io.tarpon.store.SourceObject;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.key.KeyPolicy;
import io.tarpon.wire.key.LeftOutReason;
import io.tarpon.wire.key.Named;
import io.tarpon.wire.tar.Ustar;
import java.util.List;

/// The splits of one plan and the way from an object to its split and sample. For one thread.
public final class SplitLayout {
    /// The object at the top of a source that says its upload is complete.
    public static final String MARKER = "_SUCCESS";

    private static final SplitName TRAIN = new SplitName("train");

    private final List<SplitName> splits;
    private final boolean byFolder;
    private final ShareTable shares;

    private SplitLayout(List<SplitName> splits, boolean byFolder, ShareTable shares) {
        this.splits = List.copyOf(splits);
        this.byFolder = byFolder;
        this.shares = shares;
    }

    /// @param folders what the whole listing showed
    public static SplitLayout of(SplitRule rule, TopFolders folders) {
        var single = new SplitLayout(List.of(TRAIN), false, ShareTable.ONE);
        return switch (rule) {
            case SplitRule.None() -> single;
            case SplitRule.Auto() -> {
                var found = folders.splits();
                yield found.isEmpty() ? single : new SplitLayout(found, true, ShareTable.ONE);
            }
            case SplitRule.Shares(var shares) ->
                new SplitLayout(shares.stream().map(SplitRule.Share::split).toList(), false, new ShareTable(shares));
        };
    }

    /// In order of name. Not every one need get a sample.
    public List<SplitName> splits() {
        return splits;
    }

    /// What stands before every key of a split in the source: its folder and `/`, or nothing.
    public String folder(int split) {
        return byFolder ? splits.get(split) + "/" : "";
    }

    /// Whether the folders at the top of the source are the splits.
    public boolean isByFolder() {
        return byFolder;
    }

    /// What becomes of a file that can be a member by anything but its name.
    public Classified place(String sourceKey) {
        return classify(SourceObject.file(sourceKey, 0, "any"));
    }

    public Classified classify(SourceObject object) {
        switch (object.kind()) {
            case UNDECODABLE -> {
                return new Classified.LeftOut(LeftOutReason.UNDECODABLE_NAME);
            }
            case NOT_REGULAR -> {
                return new Classified.LeftOut(LeftOutReason.NOT_A_REGULAR_FILE);
            }
            case FILE -> {}
        }
        var key = object.key();
        if (key.equals(MARKER)) {
            return new Classified.LeftOut(LeftOutReason.MARKER);
        }
        int slash = key.indexOf('/');
        if (byFolder && slash < 0) {
            return new Classified.LeftOut(LeftOutReason.OUTSIDE_SPLITS);
        }
        return byFolder ? inFolder(object, slash) : inSplit(0, key, object);
    }

    /// Whether the object's kind and size allow it to be a member.
    static boolean fits(SourceObject object) {
        return object.kind() == SourceObject.Kind.FILE && object.sizeBytes() <= Ustar.MAX_MEMBER_BYTES;
    }

    private Classified inFolder(SourceObject object, int slash) {
        for (int split = 0; split < splits.size(); split++) {
            var name = splits.get(split).value();
            if (name.length() == slash && object.key().startsWith(name)) {
                return inSplit(split, object.key().substring(slash + 1), object);
            }
        }
        // A folder beside the splits: nothing in it can become a member, or the folders would not be splits.
        return switch (inSplit(0, object.key(), object)) {
            case Classified.Member _ -> new Classified.LeftOut(LeftOutReason.OUTSIDE_SPLITS);
            case Classified.LeftOut out -> out;
        };
    }

    private Classified inSplit(int split, String key, SourceObject object) {
        return switch (KeyPolicy.classify(key)) {
            case Named.LeftOut(var reason) -> new Classified.LeftOut(reason);
            case Named.Member member when !fits(object) -> new Classified.LeftOut(LeftOutReason.TOO_LARGE);
            case Named.Member(var sampleKey, var extension, var finalExtension) ->
                new Classified.Member(byFolder ? split : shares.split(sampleKey), sampleKey, extension, finalExtension);
        };
    }
}

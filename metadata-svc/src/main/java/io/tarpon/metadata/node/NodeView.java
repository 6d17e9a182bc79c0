package io.tarpon.metadata.node;

import io.tarpon.wire.Digests;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.NodeChanges;
import io.tarpon.wire.metadata.NodeList;
import io.tarpon.wire.metadata.NodeRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// The nodes as they were seen last, and how they came to be so: enough to tell who saw them before what has changed
/// since.
///
/// A tag names a view by what it says: the revision, who is there, as what it registered, and whether it lives.
/// So replicas that see the same have the same tag for it, and so has one that was started anew: who goes from
/// one to another goes on where he was. What a node holds is no part of it, since that changes with every
/// heartbeat.
///
/// Every change of a node has a number, and each node is known by the last of its changes only; so what is kept grows
/// with the nodes, with those that left lately and with the views that were seen lately, and not with the changes.
///
/// Not safe for use by several threads: its owner holds a lock.
public final class NodeView {
    private static final int TAG_CHARS = 32;

    private final int remembered;
    private final SortedMap<String, Seen> nodes = new TreeMap<>();
    /// Ids of these nodes by the number of their last change.
    private final NavigableMap<Long, String> changed = new TreeMap<>();
    /// Ids of those that left, by the number of that.
    private final NavigableMap<Long, String> departed = new TreeMap<>();

    private final Map<String, Long> departures = new HashMap<>();
    /// The number of the last change in each view, by its tag; the latest view is the last.
    private final LinkedHashMap<String, Long> views = new LinkedHashMap<>();

    private long number;
    private long revision;
    private String tag;

    /// @param content digest of what is said of the node in a tag
    private record Seen(long number, NodeRecord record, String content) {}

    /// No nodes.
    ///
    /// @param remembered how many views are remembered, and how many nodes that left
    public NodeView(int remembered) {
        this.remembered = remembered;
        this.tag = tag();
        views.put(tag, number);
    }

    /// These are the nodes now. Returns whether that is another view than before.
    ///
    /// @param revision of the entry by which a node joined or left last
    public boolean update(long revision, List<NodeRecord> records) {
        var before = number;
        var gone = new TreeSet<>(nodes.keySet());
        for (var record : records) {
            gone.remove(record.id());
            see(record);
        }
        gone.forEach(this::leave);
        if (number == before && revision == this.revision) {
            return false;
        }
        this.revision = revision;
        tag = tag();
        views.remove(tag);
        views.put(tag, number);
        forget();
        return true;
    }

    /// The whole list.
    public NodeList list() {
        return new NodeList(revision, nodes.values().stream().map(Seen::record).toList());
    }

    /// What has changed since the view of this tag; where that is not known any more, or never was, the whole list.
    public NodeChanges since(String tag) {
        return Optional.ofNullable(views.get(tag))
                .map(since -> changes(tag, since))
                .orElseGet(() -> new NodeChanges(this.tag, null, revision, list().nodes(), List.of()));
    }

    private NodeChanges changes(String tag, long since) {
        var came = new ArrayList<NodeRecord>();
        for (var id : new TreeSet<>(changed.tailMap(since, false).values())) {
            came.add(known(id).record());
        }
        var left = new TreeSet<>(departed.tailMap(since, false).values());
        return new NodeChanges(this.tag, tag, revision, came, List.copyOf(left));
    }

    private Seen known(String id) {
        var seen = nodes.get(id);
        if (seen == null) {
            throw new IllegalStateException("node " + id + " has changed and is not there");
        }
        return seen;
    }

    private void see(NodeRecord record) {
        var before = nodes.get(record.id());
        if (before != null && isSame(before.record(), record)) {
            nodes.put(record.id(), new Seen(before.number(), record, before.content()));
            return;
        }
        if (before != null) {
            changed.remove(before.number());
        }
        var departure = departures.remove(record.id());
        if (departure != null) {
            departed.remove(departure);
        }
        number++;
        changed.put(number, record.id());
        nodes.put(record.id(), new Seen(number, record, content(record)));
    }

    private void leave(String id) {
        changed.remove(known(id).number());
        nodes.remove(id);
        number++;
        departed.put(number, id);
        departures.put(id, number);
    }

    /// Views from before a departure that is forgotten would miss it, so they are too.
    private void forget() {
        while (departed.size() > remembered) {
            var oldest = departed.pollFirstEntry();
            departures.remove(oldest.getValue());
            views.values().removeIf(since -> since < oldest.getKey());
        }
        while (views.size() > remembered) {
            views.pollFirstEntry();
        }
    }

    private static boolean isSame(NodeRecord one, NodeRecord other) {
        return one.state() == other.state() && one.registration().equals(other.registration());
    }

    private static String content(NodeRecord record) {
        return Digests.sha256Hex(Json.bytes(new NodeRecord(record.id(), record.registration(), record.state(), 0, 0)));
    }

    private String tag() {
        var digest = Digests.sha256();
        digest.update(Long.toString(revision).getBytes(StandardCharsets.US_ASCII));
        for (var seen : nodes.values()) {
            digest.update((byte) '\n');
            digest.update(seen.content().getBytes(StandardCharsets.US_ASCII));
        }
        return HexFormat.of().formatHex(digest.digest()).substring(0, TAG_CHARS);
    }
}

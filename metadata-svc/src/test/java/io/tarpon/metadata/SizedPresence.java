package io.tarpon.metadata;

import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.garbage.OpenReads;
import io.tarpon.metadata.node.Agreement;
import io.tarpon.metadata.node.Liveness;
import io.tarpon.metadata.node.NodeView;
import io.tarpon.metadata.node.Replicas;
import io.tarpon.metadata.node.Sign;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.NodeRecord;
import io.tarpon.wire.metadata.NodeRegistration;
import io.tarpon.wire.metadata.NodeState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;

/// What replicas of metadata-svc hear of so many nodes and gateways through the presence topic, and whom they take
/// for lost: their own classes, in a time that is counted. Only the network, the topic and the threads are imagined.
///
/// @param signs on the topic in a second
/// @param signBytes of their keys and values in a second
/// @param listBytes of all nodes as a follower gets them first
/// @param changes answers that said something new, at the replica that told most
/// @param changeBytes of these together, to one follower
/// @param falselyLost times that a node which lives was said to be lost, at the replica that said so most
/// @param tellSeconds from the death of nodes until every replica said so; 0 where none died
/// @param lookMicros that one look at all nodes took, which there is every quarter of a second
record SizedPresence(
        int nodes,
        Trouble trouble,
        double signs,
        double signBytes,
        long listBytes,
        int changes,
        long changeBytes,
        int falselyLost,
        double tellSeconds,
        double lookMicros) {
    static final int REPLICAS = 3;
    static final int SECONDS = 60;
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration DEAF = Duration.ofSeconds(30);
    private static final Duration LAPSE = Duration.ofSeconds(15);
    private static final int LOOKS_IN_A_SILENCE = 10;
    private static final int MAX_READERS = 2_000;
    private static final int REMEMBERED = 1_024;
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long LOOK = SECOND / 4;
    private static final long REPORT = 3 * SECOND;
    private static final long TROUBLE_AT = 20 * SECOND;
    private static final double MEAN_DELAY = 10 * MILLI;
    private static final long READ_DELAY = 5 * MILLI;
    private static final double NANOS_PER_MICRO = 1e3;

    /// What goes wrong, and how it is called.
    enum Trouble {
        NONE("nothing"),
        LOST_BEATS("1 heartbeat in 10 is lost"),
        LATE_BEATS("1 heartbeat in 100 is up to 6 s late"),
        NO_BROKER("no broker for 15 s"),
        CUT_OFF("no node heard by any replica for 15 s"),
        ONE_DIES("one node dies"),
        ZONE_DIES("a third of the nodes dies");

        final String words;

        Trouble(String words) {
            this.words = words;
        }
    }

    static SizedPresence of(int nodes, Trouble trouble, long seed) {
        return new World(nodes, trouble, new Random(seed)).run();
    }

    static NodeRegistration registration(int number) {
        return new NodeRegistration(
                "http://block-svc-" + number + ".block-svc:7081",
                "gpu-" + number,
                "zone-" + number % 3,
                3_040,
                3_040L << 30,
                List.of("/disks/0", "/disks/1", "/disks/2", "/disks/3"));
    }

    private record Event(long at, Runnable what) {}

    private static final class World {
        private final Trouble trouble;
        private final Random random;
        private final TreeMap<String, NodeRegistration> joined = new TreeMap<>();
        private final Set<String> dead = new HashSet<>();
        private final PriorityQueue<Event> events = new PriorityQueue<>(Comparator.comparingLong(Event::at));
        private final List<Replica> replicas = new ArrayList<>();
        private long now;
        private long appendedAt;
        private long signs;
        private long signBytes;

        private World(int nodes, Trouble trouble, Random random) {
            this.trouble = trouble;
            this.random = random;
            IntStream.range(0, nodes).forEach(number -> joined.put("block-svc-" + number, registration(number)));
            IntStream.range(0, REPLICAS).forEach(_ -> replicas.add(new Replica(this)));
        }

        private SizedPresence run() {
            for (var replica : replicas) {
                after(random.nextLong(SECOND / 2), () -> listening(replica));
                after(random.nextLong(LOOK), () -> look(replica));
            }
            for (var node : joined.keySet()) {
                after(random.nextLong(SECOND), () -> beat(node));
                after(random.nextLong(REPORT), () -> reading("gateway-of-" + node));
            }
            at(TROUBLE_AT, this::die);
            while (!events.isEmpty() && events.element().at() <= SECONDS * SECOND) {
                var next = events.remove();
                now = next.at();
                next.what().run();
            }
            var told =
                    replicas.stream().mapToLong(replica -> replica.toldAt).max().orElseThrow();
            var loudest = replicas.stream()
                    .max(Comparator.comparingLong(replica -> replica.changes))
                    .orElseThrow();
            return new SizedPresence(
                    joined.size(),
                    trouble,
                    (double) signs / SECONDS,
                    (double) signBytes / SECONDS,
                    Json.length(replicas.getFirst().view.since("none")),
                    loudest.changes,
                    loudest.changeBytes,
                    replicas.stream()
                            .mapToInt(replica -> replica.falselyLost)
                            .max()
                            .orElseThrow(),
                    dead.isEmpty() ? 0 : (double) (told - TROUBLE_AT) / SECOND,
                    loudest.lookNanos / NANOS_PER_MICRO / loudest.looks);
        }

        private void die() {
            var ids = List.copyOf(joined.keySet());
            switch (trouble) {
                case ONE_DIES -> dead.add(ids.getFirst());
                case ZONE_DIES ->
                    joined.forEach((id, node) -> {
                        if (node.zone().equals("zone-0")) {
                            dead.add(id);
                        }
                    });
                case NONE, LOST_BEATS, LATE_BEATS, NO_BROKER, CUT_OFF -> {}
            }
        }

        private void after(long nanos, Runnable what) {
            at(now + nanos, what);
        }

        private void at(long time, Runnable what) {
            events.add(new Event(time, what));
        }

        /// A node says that it lives, and again a second after it was answered.
        private void beat(String node) {
            if (dead.contains(node)) {
                return;
            }
            var isLost = trouble == Trouble.LOST_BEATS && random.nextInt(10) == 0;
            var isCutOff = trouble == Trouble.CUT_OFF && isTroubled();
            var isLate = trouble == Trouble.LATE_BEATS && random.nextInt(100) == 0;
            var delay = delay() + (isLate ? random.nextLong(6 * SECOND) : 0);
            after(delay, () -> {
                if (!isLost && !isCutOff) {
                    append(new Sign.Beat(node, 240_000, 1_900L << 30));
                }
                after(SECOND, () -> beat(node));
            });
        }

        private void reading(String gateway) {
            append(new Sign.Reading(gateway, List.of("pictures/v12", "laion/v3")));
            after(REPORT, () -> reading(gateway));
        }

        private void listening(Replica replica) {
            append(new Sign.Listening(replica.name, EntryFormat.FORMAT, List.of()));
            after(TIMEOUT.toNanos() / LOOKS_IN_A_SILENCE, () -> listening(replica));
        }

        private void look(Replica replica) {
            replica.look(now);
            after(LOOK, () -> look(replica));
        }

        /// In the order of the topic, and read by all. A broker that is away takes it when it is back.
        private void append(Sign sign) {
            var message = Json.bytes(sign);
            signs++;
            signBytes += message.length + sign.of().getBytes(StandardCharsets.UTF_8).length;
            var back = trouble == Trouble.NO_BROKER && isTroubled() ? TROUBLE_AT + 15 * SECOND : now;
            appendedAt = Math.max(appendedAt, back + delay());
            for (var replica : replicas) {
                at(appendedAt + READ_DELAY, () -> replica.hear(message));
            }
        }

        private boolean isTroubled() {
            return now >= TROUBLE_AT && now < TROUBLE_AT + 15 * SECOND;
        }

        private long delay() {
            return (long) (-Math.log(1 - random.nextDouble()) * MEAN_DELAY);
        }
    }

    /// The soft state of a replica, put together as the service does ([Deployment], [NodeWatch]).
    private static final class Replica {
        private final World world;
        private final String name;
        private final HeardTime time;
        private final Liveness liveness;
        private final Ears ears;
        private final NodeView view = new NodeView(REMEMBERED);
        private final Map<String, NodeState> said = new HashMap<>();
        private int changes;
        private long changeBytes;
        private int falselyLost;
        private long toldAt;
        private int looks;
        private long lookNanos;

        private Replica(World world) {
            this.world = world;
            this.name = new UUID(world.random.nextLong(), world.random.nextLong()).toString();
            this.time = new HeardTime(() -> world.now, TIMEOUT.dividedBy(LOOKS_IN_A_SILENCE));
            this.liveness = new Liveness(TIMEOUT, DEAF, time.getAsLong());
            this.ears = new Ears(
                    time,
                    liveness,
                    new OpenReads(LAPSE, MAX_READERS, time.getAsLong()),
                    new Replicas(TIMEOUT, time.getAsLong()),
                    new Agreement(name, TIMEOUT));
            view.update(1, liveness.records(world.joined, time.getAsLong()));
        }

        private void hear(byte[] message) {
            try {
                var sign = Json.read(message, Sign.class);
                ears.hear(sign);
                if (sign instanceof Sign.Listening && sign.of().equals(name)) {
                    ears.echo();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void look(long now) {
            var before = view.since("none").tag();
            var begun = System.nanoTime();
            var records = liveness.records(world.joined, time.getAsLong());
            var isOther = view.update(1, records);
            lookNanos += System.nanoTime() - begun;
            looks++;
            if (isOther) {
                changes++;
                changeBytes += Json.length(view.since(before));
            }
            records.forEach(record -> judge(record, now));
        }

        private void judge(NodeRecord record, long now) {
            var before = said.put(record.id(), record.state());
            if (record.state() == NodeState.LOST && before == NodeState.UP) {
                if (world.dead.contains(record.id())) {
                    toldAt = now;
                } else {
                    falselyLost++;
                }
            }
        }
    }
}

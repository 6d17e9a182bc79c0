package io.tarpon.chaos;

import io.tarpon.chaos.client.RangeReads;
import io.tarpon.chaos.client.RangeReads.Answer;
import io.tarpon.chaos.disk.KnownShards;
import io.tarpon.wire.Digests;
import io.tarpon.wire.tar.UstarReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// Reads shards and parts of them as a patient loader does, asks again for what is missing, and compares every byte:
/// whole shards with the manifest's SHA-256 and their members with the source, parts with a shard that was right.
final class VerifiedRead {
    private static final Duration TRY_PATIENCE = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(250);
    private static final int SERVICE_UNAVAILABLE = 503;
    private static final int GONE = 410;

    private final RangeReads reads;
    private final KnownShards known;
    private final ReadCounts counts;
    private final Findings findings;

    VerifiedRead(RangeReads reads, KnownShards known, ReadCounts counts, Findings findings) {
        this.reads = reads;
        this.known = known;
        this.counts = counts;
        this.findings = findings;
    }

    /// Reads every shard; what the version holds other than its source did, or more than once, is written down.
    void everything(SealedVersion version) throws InterruptedException {
        var found = new HashMap<String, String>();
        int members = 0;
        for (var shard : version.shards()) {
            var held = whole(version, shard).orElse(Map.of());
            members += held.size();
            found.putAll(held);
        }
        if (!found.equals(version.contents())) {
            var missing = new TreeSet<>(version.contents().keySet());
            missing.removeAll(found.keySet());
            findings.add(version.name() + " does not hold what its source held: " + missing.size() + " missing"
                    + missing.stream()
                            .findFirst()
                            .map(name -> ", such as " + name)
                            .orElse(""));
        } else if (members != version.contents().size()) {
            findings.add(version.name() + " holds " + members + " members of a source of "
                    + version.contents().size() + " files: some stand in more than one shard");
        }
    }

    /// Digests of the shard's members by name; empty where it could not be had or was wrong, which is written down.
    Optional<Map<String, String>> whole(SealedVersion version, SealedVersion.Shard shard) throws InterruptedException {
        var bytes = read(version, shard, 0, shard.bytes());
        if (bytes.isEmpty()) {
            return Optional.empty();
        }
        var sha256 = Digests.sha256Hex(bytes.get());
        if (!sha256.equals(shard.sha256())) {
            wrong(version, shard, "has SHA-256 " + sha256 + ", its manifest says " + shard.sha256());
            return Optional.empty();
        }
        if (!known.has(sha256)) {
            known.keep(sha256, bytes.get());
        }
        return members(version, shard, bytes.get());
    }

    private Optional<Map<String, String>> members(SealedVersion version, SealedVersion.Shard shard, byte[] bytes) {
        var members = new TreeMap<String, String>();
        try (var tar = new UstarReader(new ByteArrayInputStream(bytes))) {
            for (var header = tar.next(); header.isPresent(); header = tar.next()) {
                var content = new ByteArrayOutputStream();
                tar.transferTo(content);
                var name = header.get().name();
                if (members.put(name, Digests.sha256Hex(content.toByteArray())) != null) {
                    wrong(version, shard, "holds " + name + " twice");
                    return Optional.empty();
                }
            }
        } catch (IOException e) {
            wrong(version, shard, "is no tar: " + e.getMessage());
            return Optional.empty();
        }
        for (var member : members.entrySet()) {
            if (!member.getValue().equals(version.contents().get(member.getKey()))) {
                wrong(version, shard, "holds a " + member.getKey() + " that its source did not");
                return Optional.empty();
            }
        }
        return Optional.of(members);
    }

    /// A part of a shard that was read whole before.
    void part(SealedVersion version, SealedVersion.Shard shard, long from, int length) throws InterruptedException {
        var bytes = read(version, shard, from, from + length);
        if (bytes.isPresent() && !Arrays.equals(bytes.get(), known.range(shard.sha256(), from, length))) {
            wrong(version, shard, "has other bytes in " + from + "-" + (from + length - 1) + " than when read whole");
        }
    }

    boolean knows(SealedVersion.Shard shard) {
        return known.has(shard.sha256());
    }

    private void wrong(SealedVersion version, SealedVersion.Shard shard, String what) {
        counts.wrong.incrementAndGet();
        findings.add(version.name() + " " + shard.split() + "/" + shard.name() + " " + what);
    }

    /// Empty where the version is gone as it may be, or where the bytes were not to be had, which is written down.
    private Optional<byte[]> read(SealedVersion version, SealedVersion.Shard shard, long from, long to)
            throws InterruptedException {
        var got = new ByteArrayOutputStream((int) (to - from));
        var deadline = Instant.now().plus(PATIENCE);
        boolean first = true;
        while (true) {
            switch (reads.read(shard.url(), from + got.size(), to, shard.bytes(), TRY_PATIENCE)) {
                case Answer.Whole(var bytes) -> {
                    got.writeBytes(bytes);
                    count(first, from == 0 && to == shard.bytes(), got.size());
                    return Optional.of(got.toByteArray());
                }
                case Answer.Cut(var bytes, var stalled) -> {
                    got.writeBytes(bytes);
                    (stalled ? counts.stalled : counts.broken).incrementAndGet();
                }
                case Answer.Refused(var status, var words) -> {
                    if (status == GONE && version.removed().get()) {
                        counts.gone.incrementAndGet();
                        return Optional.empty();
                    }
                    if (status != SERVICE_UNAVAILABLE) {
                        counts.gaveUp.incrementAndGet();
                        findings.add(version.name() + " " + shard.name() + " was answered " + status + ": " + words);
                        return Optional.empty();
                    }
                    counts.unavailable.incrementAndGet();
                }
                case Answer.Away() -> counts.away.incrementAndGet();
            }
            first = false;
            if (Instant.now().isAfter(deadline)) {
                counts.gaveUp.incrementAndGet();
                findings.add(version.name() + " " + shard.name() + " could not be read within " + PATIENCE.toSeconds()
                        + " s, " + got.size() + " of " + (to - from) + " bytes came");
                return Optional.empty();
            }
            Thread.sleep(PAUSE);
        }
    }

    private void count(boolean first, boolean whole, long bytes) {
        counts.bytes.addAndGet(bytes);
        (first ? whole ? counts.whole : counts.ranges : counts.resumed).incrementAndGet();
    }
}

package io.tarpon.cli.verify;

import io.tarpon.store.ObjectSource;
import io.tarpon.store.SourceChangedException;
import io.tarpon.wire.Digests;
import io.tarpon.wire.plan.PlanReader;
import io.tarpon.wire.plan.PlannedMember;
import io.tarpon.wire.plan.PlannedSample;
import io.tarpon.wire.tar.UstarReader;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// Reads one shard to its end and holds it against the manifest (length, SHA-256, CRC-32C, samples) and against
/// its plan (every member's name and size, in order); with a source, also every member's bytes. Used once, by
/// one thread.
public final class ShardCheck {
    private static final int CHUNK_BYTES = 1 << 16;
    private static final int MAX_COMPLAINTS = 10;

    private final ExpectedShard expected;
    private final Optional<ObjectSource> source;
    private final List<String> bad = new ArrayList<>();
    private final byte[] left = new byte[CHUNK_BYTES];
    private final byte[] right = new byte[CHUNK_BYTES];
    private long samples;
    private long members;

    private ShardCheck(ExpectedShard expected, Optional<ObjectSource> source) {
        this.expected = expected;
        this.source = source;
    }

    public static VerifyResult againstPlan(ExpectedShard expected, InputStream tar, PlanReader plan)
            throws IOException {
        return new ShardCheck(expected, Optional.empty()).run(tar, plan);
    }

    public static VerifyResult againstSource(
            ExpectedShard expected, InputStream tar, PlanReader plan, ObjectSource source) throws IOException {
        return new ShardCheck(expected, Optional.of(source)).run(tar, plan);
    }

    private VerifyResult run(InputStream tar, PlanReader plan) throws IOException {
        var hashed = new HashedStream(tar);
        var reader = new UstarReader(hashed);
        try (reader) {
            for (var sample = plan.next(); sample.isPresent(); sample = plan.next()) {
                samples++;
                checkSample(sample.get(), reader);
            }
            var extra = reader.next();
            if (extra.isPresent()) {
                complain("has member " + extra.get().name() + ", which its plan does not have");
            } else {
                checkTotals(hashed, reader.position());
            }
        } catch (IOException e) {
            complain("cannot be read to its end: " + e.getMessage());
        }
        return new VerifyResult(1, samples, members, reader.position(), bad);
    }

    private void checkSample(PlannedSample sample, UstarReader reader) throws IOException {
        for (var member : sample.members()) {
            var name = sample.name(member);
            var header = reader.next().orElseThrow(() -> new IOException("it ends before member " + name));
            if (!header.name().equals(name) || header.size() != member.size()) {
                throw new IOException("member " + header.name() + " of " + header.size() + " bytes stands where " + name
                        + " of " + member.size() + " bytes belongs");
            }
            members++;
            if (source.isPresent()) {
                compare(name, member, reader, source.get());
            }
        }
    }

    private void compare(String name, PlannedMember member, UstarReader reader, ObjectSource from) throws IOException {
        try (var original = from.open(member.sourceKey(), member.etag(), member.size())) {
            for (int got = fill(reader); got > 0; got = fill(reader)) {
                int same = original.readNBytes(right, 0, got);
                if (same != got || !Arrays.equals(left, 0, got, right, 0, got)) {
                    complain("member " + name + " differs from " + member.sourceKey());
                    return;
                }
            }
        } catch (SourceChangedException e) {
            complain("member " + name + " cannot be compared: " + e.getMessage());
        }
    }

    private int fill(UstarReader reader) throws IOException {
        int filled = 0;
        while (filled < left.length) {
            int read = reader.read(left, filled, left.length - filled);
            if (read < 0) {
                break;
            }
            filled += read;
        }
        return filled;
    }

    private void checkTotals(HashedStream hashed, long bytes) {
        if (bytes != expected.bytes() || samples != expected.samples()) {
            complain("has " + bytes + " bytes and " + samples + " samples, its manifest says " + expected.bytes()
                    + " and " + expected.samples());
        }
        var sha256 = HexFormat.of().formatHex(hashed.sha256());
        if (!sha256.equals(expected.sha256())) {
            complain("has SHA-256 " + sha256 + ", its manifest says " + expected.sha256());
        }
        var crc32c = Digests.crc32cHex(hashed.crc32c());
        if (!crc32c.equals(expected.crc32c())) {
            complain("has CRC-32C " + crc32c + ", its manifest says " + expected.crc32c());
        }
    }

    private void complain(String what) {
        if (bad.size() < MAX_COMPLAINTS) {
            bad.add(expected.place() + " " + what);
        }
    }
}

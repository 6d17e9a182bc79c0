package io.tarpon.wire.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tarpon.wire.Digests;
import io.tarpon.wire.plan.PlannedMember;
import io.tarpon.wire.plan.PlannedSample;
import io.tarpon.wire.tar.Ustar;
import io.tarpon.wire.tar.UstarHeader;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/// A shard in memory with all that is known of it, and the index built while it was written.
public record TestShard(List<PlannedSample> samples, byte[] tar, ShardIndex index) {
    /// The archive of the format's reference: two members of one sample.
    public static TestShard canon() {
        PlannedSample sample = new PlannedSample(
                "000000",
                List.of(
                        new PlannedMember("json", 7, "000000.json", "e"),
                        new PlannedMember("txt", 6, "000000.txt", "e")));
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        put(tar, "000000.json", "{\"y\":1}".getBytes(UTF_8));
        put(tar, "000000.txt", "hello\n".getBytes(UTF_8));
        tar.writeBytes(Ustar.end());
        return indexed(List.of(sample), tar.toByteArray(), new Random(1), BlockCutter.TARGET_BYTES, 64 << 10);
    }

    /// Samples of random members whose sizes are mostly small, some at the edges, some over `target`.
    public static TestShard random(Random random, int count, int target, int subBlock) {
        String[] extensions = {"cls", "jpg", "json", "seg.png", "txt"};
        List<PlannedSample> samples = new ArrayList<>();
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        Set<String> keys = new HashSet<>();
        while (samples.size() < count) {
            String key = (random.nextInt(3) == 0 ? "d/" : "") + Integer.toString(random.nextInt(1 << 24), 36);
            if (!keys.add(key)) {
                continue;
            }
            TreeMap<String, PlannedMember> members = new TreeMap<>();
            for (int m = random.nextInt(4); m >= 0; m--) {
                boolean own = random.nextInt(20) == 0;
                String extension = own ? "x" + samples.size() : extensions[random.nextInt(extensions.length)];
                int size = size(random, target);
                members.put(extension, new PlannedMember(extension, size, key + '.' + extension, "e"));
            }
            PlannedSample sample = new PlannedSample(key, List.copyOf(members.values()));
            for (PlannedMember member : sample.members()) {
                byte[] data = new byte[(int) member.size()];
                random.nextBytes(data);
                put(tar, sample.name(member), data);
            }
            samples.add(sample);
        }
        tar.writeBytes(Ustar.end());
        return indexed(samples, tar.toByteArray(), random, target, subBlock);
    }

    public static int crc(byte[] bytes, long from, long to) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, (int) from, (int) (to - from));
        return (int) crc.getValue();
    }

    private static int size(Random random, int target) {
        return switch (random.nextInt(12)) {
            case 0 -> 0;
            case 1 -> 512;
            case 2 -> target - 512;
            case 3 -> 2 * target - 512 - random.nextInt(3);
            case 4 -> random.nextInt(4 * target);
            default -> random.nextInt(2000);
        };
    }

    /// Declares samples up to a few ahead of the bytes, which come in pieces of random length.
    private static TestShard indexed(List<PlannedSample> samples, byte[] tar, Random random, int target, int subBlock) {
        ShardIndexBuilder builder = new ShardIndexBuilder(target, subBlock);
        int declared = 0;
        long declaredBytes = 0;
        int position = 0;
        while (position < tar.length) {
            int ahead = random.nextInt(4);
            while (declared < samples.size() && (declaredBytes == position || ahead-- > 0)) {
                declaredBytes += samples.get(declared).tarBytes();
                builder.sample(samples.get(declared++));
            }
            long available = declared < samples.size() ? declaredBytes : tar.length;
            int length = 1 + random.nextInt((int) Math.min(available - position, 3L * target));
            builder.bytes(tar, position, length);
            position += length;
        }
        return new TestShard(samples, tar, builder.finish(Digests.sha256().digest(tar)));
    }

    private static void put(ByteArrayOutputStream tar, String name, byte[] data) {
        tar.writeBytes(new UstarHeader(name, data.length).encode());
        tar.writeBytes(data);
        tar.writeBytes(new byte[(int) (Ustar.paddedLength(data.length) - data.length)]);
    }
}

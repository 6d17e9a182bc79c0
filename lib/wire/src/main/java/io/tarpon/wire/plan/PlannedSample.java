package io.tarpon.wire.plan;

import io.tarpon.wire.key.KeyPolicy;
import io.tarpon.wire.tar.Ustar;
import java.util.List;

/// One sample of a shard, its members in tar order.
///
/// @param key its key in the tar
/// @param members at least one, in byte order of their extensions, none twice
public record PlannedSample(String key, List<PlannedMember> members) {
    public PlannedSample {
        members = List.copyOf(members);
        if (!KeyPolicy.isTarKey(key) || members.isEmpty()) {
            throw new IllegalArgumentException("a planned sample has a tar key and members: " + key);
        }
        String previous = "";
        for (PlannedMember member : members) {
            String extension = member.extension();
            if (extension.compareTo(previous) <= 0) {
                throw new IllegalArgumentException("members of " + key + " are out of order at " + extension);
            }
            if (key.length() + 1 + extension.length() > KeyPolicy.MAX_NAME_BYTES) {
                throw new IllegalArgumentException("member name is over 100 bytes: " + key + '.' + extension);
            }
            previous = extension;
        }
    }

    /// The name of a member in the tar.
    public String name(PlannedMember member) {
        return key + '.' + member.extension();
    }

    /// Headers, data and padding of all members, in bytes.
    public long tarBytes() {
        long bytes = 0;
        for (PlannedMember member : members) {
            bytes += Ustar.memberLength(member.size());
        }
        return bytes;
    }
}

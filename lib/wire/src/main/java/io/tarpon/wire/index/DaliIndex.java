package io.tarpon.wire.index;

import static java.nio.charset.StandardCharsets.US_ASCII;

/// NVIDIA DALI's text index, version 1.2, as a view of a shard's index: a line with the number of samples, then per
/// sample its members as `extension offset size name`, separated by spaces; offsets are those of the data.
public final class DaliIndex {
    private DaliIndex() {}

    /// The whole text, ASCII.
    public static byte[] render(ShardIndex index) {
        int samples = index.sampleCount();
        StringBuilder text = new StringBuilder(samples * 48 + 16);
        text.append("v1.2 ").append(samples).append('\n');
        for (int i = 0; i < samples; i++) {
            char separator = 0;
            for (IndexedMember member : index.members(i)) {
                if (separator != 0) {
                    text.append(separator);
                }
                text.append(member.extension()).append(' ').append(member.dataOffset());
                text.append(' ').append(member.size()).append(' ').append(member.name());
                separator = ' ';
            }
            text.append('\n');
        }
        return text.toString().getBytes(US_ASCII);
    }
}

package io.tarpon.shard.assembly;

import io.tarpon.wire.tar.Ustar;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/// What goes into one segment.
sealed interface Filling {
    /// Members that fit the segment together, each whole.
    record SmallMembers(List<TarMember> members) implements Filling {

        /// Reads them all, one after the other: a task for each would cost more than reading it.
        void read(Inputs inputs, Segment segment) throws IOException {
            var bytes = segment.bytes;
            for (var member : members) {
                member.putHeader(bytes, segment.header);
                var data = slice(bytes, (int) member.planned().size());
                inputs.read(member.planned(), data);
                bytes.position(bytes.position() + data.position());
                member.putPadding(bytes);
            }
            bytes.flip();
        }

        private static ByteBuffer slice(ByteBuffer bytes, int length) {
            return bytes.slice(bytes.position(), length);
        }
    }

    /// The next piece of a member that does not fit one segment.
    record Piece(LargeMember member, int length) implements Filling {
        public Piece {
            if (length < 1 || length % Ustar.BLOCK_BYTES != 0) {
                throw new IllegalArgumentException("a piece is a positive multiple of 512 bytes: " + length);
            }
        }
    }
}

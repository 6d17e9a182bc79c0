package io.tarpon.metadata.entry;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import io.tarpon.wire.json.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/// The bytes of an entry: `TPME`, format (u16), CRC-32C of what follows (u32), then one JSON document; big-endian.
///
/// A reader that does not know a field must not pass over it, or two replicas would come apart: an unknown field
/// is an error, and a new one a new format. What is read: [FirstFormat], [SecondFormat], [ThirdFormat], [FourthFormat]
/// and this one, which added the pages of plans and the id and level of the log. What is written: the one before to a
/// log that has no id yet, for its level is that; this one to every other.
public final class EntryFormat {
    public static final int FORMAT = 5;
    /// The newest that may be written to a log that says nothing of it.
    public static final int FIRST_LEVEL = FourthFormat.FORMAT;

    private static final byte[] MAGIC = "TPME".getBytes(StandardCharsets.US_ASCII);
    private static final int HEADER_BYTES = MAGIC.length + 2 + 4;
    private static final String WHAT = "metadata log entry";
    private static final ObjectReader READER =
            Json.MAPPER.readerFor(Entry.class).with(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private EntryFormat() {}

    public static byte[] encode(Entry entry) {
        var isOfFourth = FourthFormat.says(entry);
        var json = Json.bytes(isOfFourth ? FourthFormat.downgraded(Json.MAPPER.valueToTree(entry)) : (Object) entry);
        return ByteBuffer.allocate(HEADER_BYTES + json.length)
                .put(MAGIC)
                .putShort((short) (isOfFourth ? FourthFormat.FORMAT : FORMAT))
                .putInt(crc(json, 0))
                .put(json)
                .array();
    }

    /// @param where the log and the entry's number in it, for the error
    public static Entry decode(String where, byte[] bytes) throws IOException {
        if (bytes.length < HEADER_BYTES || !Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new CorruptFormatException(where, WHAT, "it does not begin with TPME");
        }
        var header = ByteBuffer.wrap(bytes).position(MAGIC.length);
        var format = Short.toUnsignedInt(header.getShort());
        if (format < FirstFormat.FORMAT || format > FORMAT) {
            throw new UnknownFormatException(where, WHAT, format, FORMAT);
        }
        if (header.getInt() != crc(bytes, HEADER_BYTES)) {
            throw new CorruptFormatException(where, WHAT, "its bytes do not match their CRC-32C");
        }
        try {
            return format == FORMAT
                    ? READER.readValue(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES)
                    : READER.readValue(
                            upgraded(format, Json.MAPPER.readTree(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES)));
        } catch (IOException e) {
            throw new CorruptFormatException(where, WHAT, "it cannot be read: " + e.getMessage(), e);
        }
    }

    private static JsonNode upgraded(int format, JsonNode entry) throws IOException {
        var upgraded = entry;
        if (format <= FirstFormat.FORMAT) {
            upgraded = FirstFormat.upgraded(upgraded);
        }
        if (format <= SecondFormat.FORMAT) {
            upgraded = SecondFormat.upgraded(upgraded);
        }
        if (format <= ThirdFormat.FORMAT) {
            upgraded = ThirdFormat.upgraded(upgraded);
        }
        return FourthFormat.upgraded(upgraded);
    }

    private static int crc(byte[] bytes, int offset) {
        var crc = new CRC32C();
        crc.update(bytes, offset, bytes.length - offset);
        return (int) crc.getValue();
    }
}

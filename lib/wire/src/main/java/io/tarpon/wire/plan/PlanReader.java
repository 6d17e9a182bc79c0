package io.tarpon.wire.plan;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.format.CorruptFormatException;
import io.tarpon.wire.format.UnknownFormatException;
import io.tarpon.wire.tar.Ustar;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads a plan as a stream, one sample in memory at a time. Not safe for several threads.
public final class PlanReader implements AutoCloseable {
    private static final int MAX_FORMAT_DIGITS = 9;

    private final String file;
    private final InputStream in;
    private final JsonParser json;
    private final PlanHeader header;
    private long samples;
    private long members;
    private long bytes = Ustar.END_BYTES;

    /// Reads the plan's header. Takes over the stream.
    ///
    /// @param file name of the plan, for messages
    /// @throws UnknownFormatException where another build wrote it
    /// @throws CorruptFormatException where the bytes are not a plan
    public PlanReader(String file, InputStream in) throws IOException {
        this.file = file;
        this.in = new BufferedInputStream(in, 1 << 16);
        readFormat();
        this.json = PlanFormat.JSON.createParser(this.in);
        this.header = parsed(this::readHeader);
    }

    public PlanHeader header() {
        return header;
    }

    /// The next sample in tar order; empty after the last. Only after it returned empty is the plan known to be whole.
    public Optional<PlannedSample> next() throws IOException {
        if (samples == header.samples()) {
            requireEnd();
            return Optional.empty();
        }
        PlannedSample sample = parsed(this::readSample);
        samples++;
        members += sample.members().size();
        bytes += sample.tarBytes();
        return Optional.of(sample);
    }

    @Override
    public void close() throws IOException {
        try (in) {
            json.close();
        }
    }

    private void readFormat() throws IOException {
        byte[] magic = in.readNBytes(PlanFormat.MAGIC.length());
        if (!new String(magic, ISO_8859_1).equals(PlanFormat.MAGIC)) {
            throw corrupt("it does not begin with " + PlanFormat.MAGIC.strip());
        }
        long format = 0;
        int digits = 0;
        for (int next = in.read(); next != '\n' || digits == 0; next = in.read()) {
            if (next < '0' || next > '9' || ++digits > MAX_FORMAT_DIGITS) {
                throw corrupt("its first line has no format number");
            }
            format = format * 10 + next - '0';
        }
        if (format != PlanFormat.FORMAT) {
            throw new UnknownFormatException(file, PlanFormat.WHAT, format, PlanFormat.FORMAT);
        }
    }

    private PlanHeader readHeader() throws IOException {
        expect(JsonToken.START_OBJECT);
        PlanHeader read = new PlanHeader(
                text("source"),
                new SplitName(text("split")),
                ShardName.parse(text("shard")),
                Math.toIntExact(number("samples")),
                number("members"),
                number("bytes"));
        expect(JsonToken.END_OBJECT);
        return read;
    }

    private PlannedSample readSample() throws IOException {
        expect(JsonToken.START_OBJECT);
        String key = text("key");
        field("members");
        expect(JsonToken.START_ARRAY);
        List<PlannedMember> list = new ArrayList<>();
        while (json.nextToken() == JsonToken.START_OBJECT) {
            list.add(readMember());
        }
        require(json.currentToken() == JsonToken.END_ARRAY);
        expect(JsonToken.END_OBJECT);
        return new PlannedSample(key, list);
    }

    private PlannedMember readMember() throws IOException {
        String extension = text("extension");
        long size = number("size");
        PlannedMember member = new PlannedMember(extension, size, text("source"), text("etag"));
        expect(JsonToken.END_OBJECT);
        return member;
    }

    private void requireEnd() throws IOException {
        if (members != header.members() || bytes != header.bytes()) {
            throw corrupt("its samples have " + members + " members and " + bytes + " bytes, its header says "
                    + header.members() + " and " + header.bytes());
        }
        Boolean more = parsed(() -> json.nextToken() != null);
        if (more) {
            throw corrupt("more than the " + samples + " samples its header says");
        }
    }

    private String text(String field) throws IOException {
        field(field);
        expect(JsonToken.VALUE_STRING);
        return json.getText();
    }

    private long number(String field) throws IOException {
        field(field);
        expect(JsonToken.VALUE_NUMBER_INT);
        return json.getLongValue();
    }

    private void field(String name) throws IOException {
        expect(JsonToken.FIELD_NAME);
        require(json.currentName().equals(name));
    }

    private void expect(JsonToken token) throws IOException {
        require(json.nextToken() == token);
    }

    private void require(boolean holds) throws IOException {
        if (!holds) {
            throw corrupt(
                    "unexpected content at line " + (json.currentTokenLocation().getLineNr() + 1));
        }
    }

    private <T> T parsed(Parse<T> parse) throws IOException {
        try {
            return parse.run();
        } catch (JsonProcessingException | IllegalArgumentException | ArithmeticException e) {
            throw new CorruptFormatException(file, PlanFormat.WHAT, String.valueOf(e.getMessage()), e);
        }
    }

    private CorruptFormatException corrupt(String reason) {
        return new CorruptFormatException(file, PlanFormat.WHAT, reason);
    }

    private interface Parse<T> {
        T run() throws IOException;
    }
}

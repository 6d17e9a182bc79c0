package io.tarpon.wire.plan;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import io.tarpon.wire.tar.Ustar;
import java.io.IOException;
import java.io.OutputStream;

/// Writes a plan as a stream, one line a sample. The same samples give the same bytes. The stream stays the caller's,
/// who must not use what was written unless [#finish] returned. Not safe for several threads.
public final class PlanWriter {
    private final OutputStream out;
    private final JsonGenerator json;
    private final PlanHeader header;
    private long samples;
    private long members;
    private long bytes = Ustar.END_BYTES;

    /// @param header what the samples to come will add up to; [#finish] holds them to it
    public PlanWriter(OutputStream out, PlanHeader header) throws IOException {
        this.out = out;
        this.header = header;
        out.write((PlanFormat.MAGIC + PlanFormat.FORMAT + '\n').getBytes(US_ASCII));
        json = PlanFormat.JSON.createGenerator(out).setRootValueSeparator(new SerializedString("\n"));
        json.writeStartObject();
        json.writeStringField("source", header.source());
        json.writeStringField("split", header.split().value());
        json.writeStringField("shard", header.shard().toString());
        json.writeNumberField("samples", header.samples());
        json.writeNumberField("members", header.members());
        json.writeNumberField("bytes", header.bytes());
        json.writeEndObject();
    }

    /// Adds the next sample in tar order.
    public void add(PlannedSample sample) throws IOException {
        json.writeStartObject();
        json.writeStringField("key", sample.key());
        json.writeArrayFieldStart("members");
        for (PlannedMember member : sample.members()) {
            json.writeStartObject();
            json.writeStringField("extension", member.extension());
            json.writeNumberField("size", member.size());
            json.writeStringField("source", member.sourceKey());
            json.writeStringField("etag", member.etag());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
        samples++;
        members += sample.members().size();
        bytes += sample.tarBytes();
    }

    /// Ends the plan and flushes it.
    ///
    /// @throws IllegalStateException where the samples are not what the header says
    public void finish() throws IOException {
        if (samples != header.samples() || members != header.members() || bytes != header.bytes()) {
            throw new IllegalStateException("plan " + header.split() + '/' + header.shard() + " got " + samples
                    + " samples, " + members + " members, " + bytes + " bytes, not those of its header: " + header);
        }
        json.close();
        out.write('\n');
        out.flush();
    }
}

package io.tarpon.ingest;

import io.tarpon.wire.event.Events;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Keeps what is sent, or refuses it.
final class KeptMessages implements PlanMessages {
    final List<PlanMessage> messages = new ArrayList<>();
    int refuse;

    /// How many lots meet a fault of the program.
    int breakOn;

    /// How many of each refused lot are taken all the same, as by a broker that goes away in the middle.
    int takeOfRefused;

    @Override
    public void send(List<PlanMessage> sent) throws IOException {
        if (breakOn-- > 0) {
            throw new IllegalStateException("a fault");
        }
        if (refuse-- > 0) {
            messages.addAll(sent.subList(0, Math.min(takeOfRefused, sent.size())));
            throw new IOException("the broker is away");
        }
        messages.addAll(sent);
    }

    List<String> ids() throws IOException {
        var ids = new ArrayList<String>();
        for (var message : messages) {
            ids.add(message.key() + " " + Events.decode(message.value()).id());
        }
        return ids;
    }

    /// Record keys.
    List<String> shards() {
        return messages.stream().map(PlanMessage::key).toList();
    }
}

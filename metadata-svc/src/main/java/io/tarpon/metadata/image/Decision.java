package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entity;
import io.tarpon.wire.http.TarponException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a command comes to on one image. Deciding changes nothing.
public sealed interface Decision {

    /// The records are to be appended, guarded by the revisions that the decision rested on.
    ///
    /// @param more entries are still to come for the command, which is decided again once this one is replayed;
    ///     only the last one, with 0, has its effect
    record Append(SortedMap<String, Long> guards, List<Change> records, int more) implements Decision {}

    /// What is asked is already so.
    record AlreadyApplied() implements Decision {}

    /// It cannot be done on this image.
    record Refused(TarponException problem) implements Decision {}

    /// An entry guarded by `entities` at the revisions they have in `image`.
    static Append append(Image image, List<Entity> entities, List<Change> records) {
        return append(image, entities, records, 0);
    }

    static Append append(Image image, List<Entity> entities, List<Change> records, int more) {
        var guards = new TreeMap<String, Long>();
        entities.forEach(entity -> guards.put(entity.toString(), image.revisionOf(entity)));
        return new Append(guards, records, more);
    }
}

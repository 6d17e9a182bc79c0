package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entity;
import java.util.List;

/// Lets entries be written in a newer format, which every replica that lives must be able to read; only who knows
/// that may ask for it. A log that has no id is given one with it, once: of several who give it one, the first has.
///
/// @param newId 128 random bits in lower-case hex, for a log that has none
/// @param level the newest format that may be written from then on
public record RaiseLevel(String newId, int level) implements Command<Integer> {
    @Override
    public String idempotenceKey() {
        return "level/" + level;
    }

    @Override
    public String scope() {
        return new Entity.Log().toString();
    }

    @Override
    public Decision decide(Image image) {
        if (image.level() >= level) {
            return new Decision.AlreadyApplied();
        }
        var raised = new Change.LevelRaised(level);
        return Decision.append(
                image,
                List.of(new Entity.Log()),
                image.logId().isPresent() ? List.of(raised) : List.of(new Change.LogBegun(newId), raised));
    }

    @Override
    public Integer answer(Image image) {
        return image.level();
    }
}

package io.tarpon.cli.command;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.tarpon.wire.metadata.VersionRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What `cancel` and `rm` did, in counts.
///
/// @param cancelled,removed how many versions; null where the command does the other
/// @param versions `demo/v1`
@JsonInclude(JsonInclude.Include.NON_NULL)
record LifeResult(@Nullable Integer cancelled, @Nullable Integer removed, List<String> versions) {
    static LifeResult cancelled(VersionRecord version) {
        return new LifeResult(1, null, List.of(path(version)));
    }

    static LifeResult removed(List<VersionRecord> versions) {
        return new LifeResult(
                null, versions.size(), versions.stream().map(LifeResult::path).toList());
    }

    private static String path(VersionRecord version) {
        return version.dataset() + "/" + version.version();
    }
}

package io.tarpon.store;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What may be read as a source. A service's configuration (prefix `tarpon`) extends this interface.
public interface SourcesConfig {
    /// Sources by id, `[a-z0-9][a-z0-9_-]{0,62}`.
    Map<String, SourceConfig> sources();

    /// Absolute folders; any folder in them, or they themselves, may be named as `file:///…`.
    Optional<List<String>> directoryRoots();

    /// A file with one more such folder a line, read again at each use. It need not exist.
    Optional<String> directoryRootsFile();
}

package io.tarpon.ingest;

import io.tarpon.store.ConfiguredObject;
import io.tarpon.store.ObjectStamp;
import io.tarpon.store.UnknownSourceException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Sources in memory: `raw` is all of bucket `raw`, `in` lies below `in/` of bucket `shared`. Every look is counted,
/// and an object can be hidden for the first looks.
final class MarkedSources implements MarkerSources {
    static final String ETAG = "d41d8cd98f00b204e9800998ecf8427e";

    final List<ConfiguredObject> looks = new ArrayList<>();
    private final Map<ConfiguredObject, ObjectStamp> objects = new TreeMap<>(
            java.util.Comparator.comparing(ConfiguredObject::source).thenComparing(ConfiguredObject::key));
    private final Map<ConfiguredObject, Integer> hidden = new HashMap<>();
    private @Nullable String broken;
    private @Nullable String breaking;

    void put(String source, String key, Instant modified) {
        objects.put(new ConfiguredObject(source, key), new ObjectStamp(ETAG, modified, null));
    }

    void put(String source, String key, ObjectStamp stamp) {
        objects.put(new ConfiguredObject(source, key), stamp);
    }

    void remove(String source, String key) {
        objects.remove(new ConfiguredObject(source, key));
    }

    /// The next looks at it find nothing.
    void hide(String source, String key, int looksThatFindNothing) {
        hidden.put(new ConfiguredObject(source, key), looksThatFindNothing);
    }

    /// That source does not answer.
    void breakDown(@Nullable String source) {
        broken = source;
    }

    /// What that source says is nothing that we thought of.
    void breakUs(@Nullable String source) {
        breaking = source;
    }

    @Override
    public boolean isConfigured(String bucket) {
        return bucket.equals("raw") || bucket.equals("shared");
    }

    @Override
    public Optional<ConfiguredObject> locate(String bucket, String key) {
        if (bucket.equals("raw")) {
            return Optional.of(new ConfiguredObject("raw", key));
        }
        boolean isHeld = bucket.equals("shared") && key.startsWith("in/") && key.length() > 3;
        return isHeld ? Optional.of(new ConfiguredObject("in", key.substring(3))) : Optional.empty();
    }

    @Override
    public Optional<ObjectStamp> stamp(ConfiguredObject object) throws IOException {
        looks.add(object);
        if (object.source().equals(broken)) {
            throw new IOException("the server is on fire");
        }
        if (object.source().equals(breaking)) {
            throw new IllegalStateException("never thought of");
        }
        if (hidden.merge(object, -1, Integer::sum) >= 0) {
            return Optional.empty();
        }
        return Optional.ofNullable(objects.get(object));
    }

    @Override
    public String reference(String source, String folder) throws UnknownSourceException {
        return switch (source) {
            case "raw" -> "s3://raw/" + folder;
            case "in" -> "s3://shared/in/" + folder;
            default -> throw new UnknownSourceException(source, "there is none");
        };
    }

    @Override
    public List<String> ids() {
        return List.of("in", "raw");
    }

    @Override
    public List<String> folders(String source, String after, int most) throws IOException {
        if (source.equals(broken)) {
            throw new IOException("the server is on fire");
        }
        return objects.keySet().stream()
                .filter(object -> object.source().equals(source) && object.key().contains("/"))
                .map(object -> object.key().substring(0, object.key().indexOf('/')))
                .distinct()
                .filter(folder -> folder.compareTo(after) > 0)
                .limit(most)
                .toList();
    }
}

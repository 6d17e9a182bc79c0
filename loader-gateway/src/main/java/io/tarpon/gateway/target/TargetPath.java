package io.tarpon.gateway.target;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reads the raw path of a request below `/d`. It is never normalised: `..` and `//` are bytes of a key like any other,
/// and only a key is percent-decoded, once.
public final class TargetPath {
    public static final String PREFIX = "/d/";

    private static final String TAR = ".tar";
    private static final String IDX = ".idx";
    private static final String SAMPLES = "samples/";
    private static final String KEYS = "keys/";

    private TargetPath() {}

    /// @param path the request's path as sent, beginning with `/d/`
    public static ByteTarget parse(String path) {
        var parts = path.substring(PREFIX.length()).split("/", 4);
        if (parts.length < 4) {
            throw notFound(path);
        }
        var dataset = name(parts[0], DatasetName::new);
        var version = parts[1].equals("latest") ? null : name(parts[1], VersionId::parse);
        var split = name(parts[2], SplitName::new);
        return new ByteTarget(dataset, version, split, thing(parts[3], path), "/" + parts[2] + "/" + parts[3]);
    }

    private static ByteTarget.Thing thing(String text, String path) {
        if (text.startsWith(SAMPLES)) {
            return sample(text.substring(SAMPLES.length()));
        }
        if (text.startsWith(KEYS)) {
            return key(Percent.decode(text.substring(KEYS.length())));
        }
        return switch (text) {
            case "wids.json" -> new ByteTarget.Wids();
            case "urls.txt" -> new ByteTarget.Urls();
            default -> shard(text, path);
        };
    }

    private static ByteTarget.Thing shard(String text, String path) {
        if (!text.startsWith("shard-") || text.indexOf('/') >= 0) {
            throw notFound(path);
        }
        try {
            if (text.endsWith(TAR)) {
                return new ByteTarget.Tar(ShardName.parse(text.substring(0, text.length() - TAR.length())));
            }
            if (text.endsWith(IDX)) {
                return new ByteTarget.Idx(ShardName.parse(text.substring(0, text.length() - IDX.length())));
            }
        } catch (IllegalArgumentException e) {
            throw new TarponException(ProblemType.UNKNOWN_SHARD, e.getMessage() + "");
        }
        throw notFound(path);
    }

    private static ByteTarget.Thing sample(String text) {
        var dot = text.indexOf('.');
        var digits = dot < 0 ? text : text.substring(0, dot);
        return new ByteTarget.Ordinal(CanonicalDecimal.parse("ordinal", digits), extension(text, dot));
    }

    private static ByteTarget.Thing key(String key) {
        var dot = key.indexOf('.', key.lastIndexOf('/') + 1);
        return new ByteTarget.Key(dot < 0 ? key : key.substring(0, dot), extension(key, dot));
    }

    private static @Nullable String extension(String text, int dot) {
        return dot < 0 ? null : text.substring(dot + 1);
    }

    /// A name of a URL; what is none is refused as `bad-parameter`.
    static <T> T name(String text, Function<String, T> parse) {
        try {
            return parse.apply(text);
        } catch (IllegalArgumentException e) {
            throw TarponException.badParameter(e.getMessage() + "");
        }
    }

    private static TarponException notFound(String path) {
        return new TarponException(
                ProblemType.NOT_FOUND,
                "there is nothing at " + Percent.printable(path)
                        + "; bytes are at /d/<dataset>/<version>/<split>/ followed by shard-000000.tar, shard-000000.idx,"
                        + " wids.json, urls.txt, samples/<ordinal> or keys/<key>");
    }
}

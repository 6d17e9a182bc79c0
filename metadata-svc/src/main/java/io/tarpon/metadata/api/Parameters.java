package io.tarpon.metadata.api;

import io.tarpon.metadata.Queries;
import io.tarpon.metadata.image.DatasetCursor;
import io.tarpon.metadata.image.VersionName;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.VersionState;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reads what stands in paths and queries; each throws `bad-parameter` that names what is malformed.
final class Parameters {
    private static final int DEFAULT_LIMIT = 1_000;
    private static final int MAX_LIMIT = 10_000;
    private static final int MAX_TAG_CHARS = 64;

    private Parameters() {}

    static DatasetName dataset(String text) {
        return parse(text, DatasetName::new);
    }

    static VersionId version(String text) {
        return parse(text, VersionId::parse);
    }

    static SplitName split(String text) {
        return parse(text, SplitName::new);
    }

    static ShardName shard(String text) {
        return parse(text, ShardName::parse);
    }

    static ShardRef shardRef(String dataset, String version, String split, String shard) {
        return new ShardRef(dataset(dataset), version(version), split(split), shard(shard));
    }

    /// The number of the first shard after `after`; 0 where it is absent.
    static int afterShard(@Nullable String after) {
        return after == null ? 0 : shard(after).index() + 1;
    }

    /// `demo` or `demo/v7`; null where it is absent.
    static @Nullable DatasetCursor afterDataset(@Nullable String text) {
        return text == null ? null : parse(text, DatasetCursor::parse);
    }

    /// Null where it is absent.
    static @Nullable VersionId afterNumber(@Nullable String text) {
        return text == null ? null : version(text);
    }

    /// What was asked for: a page has 1,000 rows at most, whatever that is.
    static int limit(@Nullable String text) {
        return text == null ? DEFAULT_LIMIT : (int) decimal("limit", text, 1, MAX_LIMIT);
    }

    /// `building` where it is absent; refuses states that no version works in.
    static VersionState stateOfWork(@Nullable String text) {
        var state = text == null ? VersionState.BUILDING : parse(text, VersionState::parse);
        if (state.isEnd()) {
            throw TarponException.badParameter("state '" + state.wireName() + "' is neither planning nor building");
        }
        return state;
    }

    /// A version as `demo/v1`; null where it is absent.
    static @Nullable VersionName afterVersion(@Nullable String text) {
        return text == null ? null : parse(text, VersionName::parse);
    }

    /// What names a list of nodes: any text names one that is not known.
    static String tag(@Nullable String text) {
        if (text == null || text.length() > MAX_TAG_CHARS) {
            throw TarponException.badParameter("since is " + (text == null ? "missing" : "longer than a tag is")
                    + ": it is the tag of an answer before, or none");
        }
        return text;
    }

    /// None where it is absent.
    static Duration patience(@Nullable String text) {
        return text == null ? Duration.ZERO : Duration.ofMillis(decimal("wait-millis", text, 0, Integer.MAX_VALUE));
    }

    /// The revision that an answer must have at least: the one that is named, 0 where none is; and where the
    /// question is `read=latest`, that of the log's end as of now, once it is here.
    static long wanted(Queries queries, @Nullable String revision, @Nullable String read) {
        var named = revision == null ? 0 : decimal("revision", revision, 0, Long.MAX_VALUE);
        if (read == null) {
            return named;
        }
        if (!read.equals("latest")) {
            throw TarponException.badParameter("read '" + printable(read) + "' is not latest");
        }
        return Math.max(named, queries.awaitLatest());
    }

    /// False where it is absent.
    static boolean flag(String name, @Nullable String text) {
        if (text == null || text.equals("false")) {
            return false;
        }
        if (text.equals("true")) {
            return true;
        }
        throw TarponException.badParameter(name + " '" + printable(text) + "' is neither true nor false");
    }

    private static long decimal(String name, String text, long least, long most) {
        if (text.matches("0|[1-9][0-9]{0,17}")) {
            var value = Long.parseLong(text);
            if (value >= least && value <= most) {
                return value;
            }
        }
        throw TarponException.badParameter(
                name + " '" + printable(text) + "' is not a decimal from " + least + " to " + most);
    }

    static String printable(String text) {
        return (text.length() > 80 ? text.substring(0, 80) + "…" : text).replaceAll("\\p{Cntrl}", "?");
    }

    private static <T> T parse(String text, Function<String, T> parser) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw TarponException.badParameter(String.valueOf(e.getMessage()));
        }
    }
}

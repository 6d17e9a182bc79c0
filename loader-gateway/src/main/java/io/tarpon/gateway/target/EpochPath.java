package io.tarpon.gateway.target;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;

/// Reads the raw path of a request below `/e`. It is never normalised and nothing in it is percent-decoded: all of its
/// characters are letters, digits, `_`, `-`, `.` and `/`.
public final class EpochPath {
    public static final String PREFIX = "/e/";

    private static final String TAR = ".tar";
    private static final String JSON = ".json";
    private static final String OF = "of";

    /// Dataset, version, split, seed, epoch, and what is asked for; a worker is one component more.
    private static final int PARTS = 6;

    private EpochPath() {}

    /// @param path the request's path as sent, beginning with `/e/`
    /// @throws TarponException `bad-parameter` with the part that is wrong; `not-found` where it is no epoch's URL
    public static EpochTarget parse(String path) {
        var parts = path.substring(PREFIX.length()).split("/", -1);
        if (parts.length != PARTS && parts.length != PARTS + 1) {
            throw notFound(path);
        }
        var dataset = TargetPath.name(parts[0], DatasetName::new);
        var version = parts[1].equals("latest") ? null : TargetPath.name(parts[1], VersionId::parse);
        var split = TargetPath.name(parts[2], SplitName::new);
        var seed = CanonicalDecimal.parse("seed", parts[3]);
        var epoch = CanonicalDecimal.parse("epoch", parts[4]);
        var thing = parts.length == PARTS ? thing(parts[5], path) : worker(parts[5], parts[6], path);
        var rest = path.substring(PREFIX.length() + parts[0].length() + 1 + parts[1].length());
        return new EpochTarget(dataset, version, split, seed, epoch, thing, rest);
    }

    private static EpochTarget.Thing thing(String text, String path) {
        if (text.equals("positions")) {
            return new EpochTarget.Positions();
        }
        if (text.endsWith(TAR)) {
            var rank = one(without(TAR, text), "rank", "world", path);
            return EpochTarget.Tar.whole(rank.number(), rank.of());
        }
        if (text.endsWith(JSON)) {
            var rank = one(without(JSON, text), "rank", "world", path);
            return new EpochTarget.Manifest(rank.number(), rank.of());
        }
        throw notFound(path);
    }

    private static EpochTarget.Thing worker(String rankText, String text, String path) {
        if (!text.endsWith(TAR)) {
            throw notFound(path);
        }
        var rank = one(rankText, "rank", "world", path);
        var worker = one(without(TAR, text), "worker", "workers", path);
        return new EpochTarget.Tar(rank.number(), rank.of(), worker.number(), worker.of());
    }

    private record One(int number, int of) {}

    /// Reads `0of4`.
    private static One one(String text, String name, String ofName, String path) {
        var at = text.indexOf(OF);
        if (at < 0) {
            throw notFound(path);
        }
        var number = text.substring(0, at);
        var of = CanonicalDecimal.parse(ofName, text.substring(at + OF.length()), 1, EpochTarget.MOST);
        var value = CanonicalDecimal.parse(name, number);
        if (value >= of) {
            throw EpochTarget.noSuch(name, number, ofName, of);
        }
        return new One((int) value, of);
    }

    private static String without(String suffix, String text) {
        return text.substring(0, text.length() - suffix.length());
    }

    private static TarponException notFound(String path) {
        return new TarponException(
                ProblemType.NOT_FOUND,
                "there is nothing at " + Percent.printable(path)
                        + "; an epoch is at /e/<dataset>/<version>/<split>/<seed>/<epoch>/ followed by 0of4.tar for rank 0"
                        + " of 4, 0of4/0of2.tar for its worker 0 of 2, 0of4.json or positions");
    }
}

package io.tarpon.gateway.target;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.TarponException;
import org.jspecify.annotations.Nullable;

/// What a URL below `/e` asks for, its query aside.
///
/// @param version null for `latest`
/// @param seed,epoch from 0
/// @param rest the path behind the version, as it was sent
public record EpochTarget(
        DatasetName dataset,
        @Nullable VersionId version,
        SplitName split,
        long seed,
        long epoch,
        Thing thing,
        String rest) {
    /// The most ranks, and the most workers of a rank.
    public static final int MOST = 1_000_000;

    public EpochTarget {
        if (seed < 0 || epoch < 0) {
            throw new IllegalArgumentException("negative seed " + seed + " or epoch " + epoch);
        }
    }

    /// One thing of an epoch.
    public sealed interface Thing {
        /// The word under which requests for it are counted.
        String route();

        /// The end of its shortest path, behind the epoch's slash.
        String path();
    }

    /// The body of a rank, or of one of its loader workers.
    ///
    /// @param workers 1, and `worker` 0, for the whole rank
    public record Tar(int rank, int world, int worker, int workers) implements Thing {
        public Tar {
            requireOne("rank", rank, "world", world);
            requireOne("worker", worker, "workers", workers);
        }

        /// The rank's whole body.
        public static Tar whole(int rank, int world) {
            return new Tar(rank, world, 0, 1);
        }

        @Override
        public String route() {
            return "epoch";
        }

        @Override
        public String path() {
            var own = rank + "of" + world;
            return workers == 1 ? own + ".tar" : own + "/" + worker + "of" + workers + ".tar";
        }
    }

    /// The URLs of a rank.
    public record Manifest(int rank, int world) implements Thing {
        public Manifest {
            requireOne("rank", rank, "world", world);
        }

        @Override
        public String route() {
            return "epoch-manifest";
        }

        @Override
        public String path() {
            return rank + "of" + world + ".json";
        }
    }

    /// Which sample comes at which position.
    public record Positions() implements Thing {
        @Override
        public String route() {
            return "positions";
        }

        @Override
        public String path() {
            return "positions";
        }
    }

    /// The path of everything in this epoch, in a version, with a slash at its end.
    public String folder(VersionId pinned) {
        return EpochPath.PREFIX + dataset + "/" + pinned + "/" + split + "/" + seed + "/" + epoch + "/";
    }

    /// Refuses as `bad-parameter` what is not one of so many, counted from 0.
    private static void requireOne(String name, int value, String ofName, int of) {
        if (of < 1 || of > MOST) {
            throw TarponException.badParameter(ofName + " " + of + " is not from 1 to " + MOST);
        }
        if (value < 0 || value >= of) {
            throw noSuch(name, String.valueOf(value), ofName, of);
        }
    }

    /// Says which there are.
    static TarponException noSuch(String name, String value, String ofName, int of) {
        var there = of == 1 ? "only " + name + " 0" : "the " + name + "s 0 to " + (of - 1);
        return TarponException.badParameter(
                "there is no " + name + " " + value + " with " + ofName + " " + of + ": there are " + there);
    }
}

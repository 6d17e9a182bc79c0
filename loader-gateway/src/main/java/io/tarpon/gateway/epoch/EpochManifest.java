package io.tarpon.gateway.epoch;

import io.tarpon.gateway.order.EpochOrder;
import io.tarpon.gateway.order.Partition;
import io.tarpon.gateway.order.Share;
import io.tarpon.gateway.target.EpochOptions;
import io.tarpon.gateway.target.EpochTarget;
import io.tarpon.gateway.target.ManifestOptions;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.gateway.EpochDocument;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The URLs of one rank in an epoch. Every one has the pinned version and the shortest query. What a query asks for and
/// the split does not have is refused on making it, before any length is known. Pure; immutable.
public final class EpochManifest {
    private final EpochTarget target;
    private final EpochTarget.Manifest rank;
    private final VersionId version;
    private final ManifestOptions options;
    private final Partition whole;
    private final String folder;
    private final List<String> urls;

    /// @param base of absolute URLs, `http://host:port`
    /// @param target of which `rank` is the thing
    /// @param version whose URLs these are
    /// @param samples of the split
    /// @throws io.tarpon.wire.http.TarponException `bad-parameter` where start, tail or pieces do not go with them
    public EpochManifest(
            String base,
            EpochTarget target,
            EpochTarget.Manifest rank,
            VersionId version,
            ManifestOptions options,
            long samples) {
        this.target = target;
        this.rank = rank;
        this.version = version;
        this.options = options;
        this.folder = base + target.folder(version);
        this.whole = new Partition(options.epoch().share(EpochTarget.Tar.whole(rank.rank(), rank.world())), samples);
        this.urls = urls(samples);
    }

    /// The rank's whole body, `{rank}of{world}.tar`.
    public Share share() {
        return whole.share();
    }

    /// @param bytes length of the rank's whole body, all pieces and workers together: the samples once, and one end of
    /// 1,024 zeros
    public EpochDocument document(long bytes) {
        return new EpochDocument(
                target.dataset().value(),
                version.toString(),
                target.split().value(),
                target.seed(),
                target.epoch(),
                rank.world(),
                rank.rank(),
                EpochOrder.ALGORITHM,
                options.epoch().start(),
                whole.cursor(),
                whole.samples(),
                bytes,
                urls,
                pattern());
    }

    private List<String> urls(long samples) {
        if (options.pieces() == ManifestOptions.UNCUT) {
            return workers(options.epoch());
        }
        var ofWorkers = new Partition(share().ofWorker(options.workers(), 0), samples);
        var pieces = ofWorkers.pieces(options.pieces());
        var all = new ArrayList<String>();
        for (int piece = 0; piece < pieces.count(); piece++) {
            all.addAll(workers(options.epoch().within(pieces.piece(piece))));
        }
        return all;
    }

    /// The URLs of all workers of the rank.
    private List<String> workers(EpochOptions epoch) {
        var all = new ArrayList<String>();
        for (int worker = 0; worker < options.workers(); worker++) {
            var tar = new EpochTarget.Tar(rank.rank(), rank.world(), worker, options.workers());
            all.add(folder + tar.path() + epoch.query());
        }
        return all;
    }

    private @Nullable String pattern() {
        if (options.pieces() != ManifestOptions.UNCUT) {
            return null;
        }
        if (options.workers() == 1) {
            return urls.getFirst();
        }
        var last = options.workers() - 1;
        return folder + rank.rank() + "of" + rank.world() + "/{0.." + last + "}of" + options.workers() + ".tar"
                + options.epoch().query();
    }
}

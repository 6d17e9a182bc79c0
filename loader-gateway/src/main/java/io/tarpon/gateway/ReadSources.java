package io.tarpon.gateway;

import io.netty.channel.EventLoop;
import io.tarpon.gateway.body.Piece;
import io.tarpon.gateway.catalog.NodeWatch;
import io.tarpon.gateway.client.NodeBlocks;
import io.tarpon.gateway.client.NodeNotices;
import io.tarpon.gateway.disk.LocalBlocks;
import io.tarpon.gateway.flow.BlockSource;
import io.tarpon.gateway.flow.StoreBlocks;
import io.tarpon.wire.metadata.NodeRecord;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Where a piece of a block is looked for, in order: the file of an owner on this host; the owners over HTTP, that one
/// first, because it fills what its files lack; the object store; at last the owners that failed a moment ago.
final class ReadSources {
    private final NodeWatch nodes;
    private final Optional<String> host;
    private final LocalBlocks local;
    private final NodeBlocks remote;
    private final StoreBlocks store;
    private final Optional<NodeNotices> notices;

    /// @param host this host's name; where absent nothing is local
    ReadSources(
            NodeWatch nodes,
            Optional<String> host,
            LocalBlocks local,
            NodeBlocks remote,
            StoreBlocks store,
            Optional<NodeNotices> notices) {
        this.nodes = nodes;
        this.host = host;
        this.local = local;
        this.remote = remote;
        this.store = store;
        this.notices = notices;
    }

    /// For a response on this event loop. Nearly every piece is had from the first of them: the others are made when
    /// it failed.
    ///
    /// @param traceparent for the nodes that are asked; null where there is no trace
    Iterator<BlockSource> of(Piece.OfBlock piece, EventLoop loop, @Nullable String traceparent) {
        var owners = nodes.nodes().owners(piece.blockId(), piece.shard().replicas());
        return new Iterator<>() {
            private @Nullable BlockSource first = firstFile(owners, loop);
            private @Nullable Iterator<BlockSource> others;

            @Override
            public boolean hasNext() {
                return first != null || others().hasNext();
            }

            @Override
            public BlockSource next() {
                var source = first;
                first = null;
                return source == null ? others().next() : source;
            }

            private Iterator<BlockSource> others() {
                var made = others;
                if (made == null) {
                    made = farSources(owners, loop, traceparent).iterator();
                    others = made;
                }
                return made;
            }
        };
    }

    private @Nullable BlockSource firstFile(List<NodeRecord> owners, EventLoop loop) {
        for (var node : owners) {
            if (isLocal(node)) {
                return file(node, loop);
            }
        }
        return null;
    }

    /// The node is told that its file is read, so that it stays.
    private BlockSource file(NodeRecord node, EventLoop loop) {
        var source = local.source(node, loop);
        return (piece, wake) -> {
            notices.ifPresent(to -> to.used(node, piece.blockId()));
            return source.open(piece, wake);
        };
    }

    /// All but the first file on this host.
    private List<BlockSource> farSources(List<NodeRecord> owners, EventLoop loop, @Nullable String traceparent) {
        List<BlockSource> near = new ArrayList<>();
        List<BlockSource> far = new ArrayList<>();
        List<BlockSource> avoided = new ArrayList<>();
        var isFirst = true;
        for (var node : owners) {
            if (isLocal(node)) {
                if (!isFirst) {
                    near.add(file(node, loop));
                }
                isFirst = false;
            }
            var source = remote.source(node, loop, traceparent);
            if (remote.isAvoided(node)) {
                avoided.add(source);
            } else {
                (isLocal(node) ? near : far).add(source);
            }
        }
        near.addAll(far);
        near.add(store.source(loop));
        near.addAll(avoided);
        return near;
    }

    private boolean isLocal(NodeRecord node) {
        return host.isPresent() && host.get().equals(node.registration().host());
    }
}

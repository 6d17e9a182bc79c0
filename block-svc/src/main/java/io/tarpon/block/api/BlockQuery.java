package io.tarpon.block.api;

import io.tarpon.block.BlockRequest;
import io.tarpon.block.FillFrom;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.block.WantedBlocks;
import io.tarpon.wire.http.TarponException;
import io.vertx.core.MultiMap;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What a block request says in its URL.
final class BlockQuery {
    private static final Set<String> NAMES = Set.of("shard", "block", "fill");

    private BlockQuery() {}

    /// Throws `bad-parameter` naming what is missing, unknown, repeated or malformed.
    static BlockRequest parse(@Nullable String id, MultiMap query) {
        for (var name : query.names()) {
            if (!NAMES.contains(name)) {
                throw TarponException.badParameter("unknown parameter; a block takes shard, block and fill");
            }
            if (query.getAll(name).size() > 1) {
                throw TarponException.badParameter("parameter " + name + " is given more than once");
            }
        }
        return new BlockRequest(
                blockId(id),
                value("shard", query.get("shard"), ShardRef::parse),
                value("block", query.get("block"), BlockQuery::number),
                query.contains("fill") ? value("fill", query.get("fill"), FillFrom::parse) : FillFrom.PEER);
    }

    /// The same as a gateway says it of a block that is read soon.
    static BlockRequest wanted(WantedBlocks.Wanted block) {
        return new BlockRequest(
                blockId(block.id()),
                value("shard", block.shard(), ShardRef::parse),
                value("block", Integer.toString(block.block()), BlockQuery::number),
                FillFrom.PEER);
    }

    static BlockId blockId(@Nullable String text) {
        return value("block id", text, BlockId::parse);
    }

    private static int number(String text) {
        if (!text.matches("0|[1-9][0-9]{0,8}")) {
            throw new IllegalArgumentException("block is not a number from 0");
        }
        return Integer.parseInt(text);
    }

    private static <T> T value(String name, @Nullable String text, Function<String, T> parse) {
        if (text == null) {
            throw TarponException.badParameter("parameter " + name + " is missing");
        }
        try {
            return parse.apply(text);
        } catch (IllegalArgumentException e) {
            throw TarponException.badParameter(name + ": " + e.getMessage());
        }
    }
}

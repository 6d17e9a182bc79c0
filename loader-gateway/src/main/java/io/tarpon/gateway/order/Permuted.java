package io.tarpon.gateway.order;

/// What a permutation orders; each kind has its own key.
enum Permuted {
    GLOBAL("global"),
    SHARDS("shards"),
    IN_SHARD("in-shard"),
    BLOCKS("blocks"),
    IN_BLOCK("in-block");

    private final String word;

    Permuted(String word) {
        this.word = word;
    }

    /// The word that goes into the key.
    String word() {
        return word;
    }
}

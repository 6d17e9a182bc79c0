package io.tarpon.metadata;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.tarpon.metadata.image.Lookup;
import io.tarpon.metadata.image.Reads;
import io.tarpon.metadata.replica.ReadyAnswers;
import io.tarpon.metadata.replica.Replica;
import io.tarpon.metadata.replica.Versioned;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.DatasetRecord;
import io.tarpon.wire.metadata.VersionRecord;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Predicate;

/// The use case of the questions that everybody asks all the time: one version, the latest one, one dataset. Read from
/// the image once, each is answered with the same bytes until something in it changes.
public final class Lookups {
    private static final String NAME = "tarpon.metadata.lookups";

    /// Versions of a dataset that are worth making bytes of: with more of them it is larger than an answer may be.
    private static final int MAX_VERSIONS = 128;

    private final Replica replica;
    private final Queries queries;
    private final ReadyAnswers answers;
    private final LongAdder ready = new LongAdder();
    private final LongAdder read = new LongAdder();

    /// @param answers those of this replica
    Lookups(Replica replica, Queries queries, ReadyAnswers answers) {
        this.replica = replica;
        this.queries = queries;
        this.answers = answers;
    }

    void measure(MeterRegistry metrics) {
        metrics.more().counter(NAME, List.of(Tag.of("answer", "ready")), ready);
        metrics.more().counter(NAME, List.of(Tag.of("answer", "read")), read);
    }

    /// The answer to a look-up as JSON, if it is here and may be given: at once, on any thread. Empty says nothing but
    /// that it must be read.
    ///
    /// @param path see [Lookup#path()]
    /// @param revision that it must have at least
    public Optional<Versioned<byte[]>> ready(String path, long revision) {
        if (replica.broken() != null || replica.behind().isPresent()) {
            return Optional.empty();
        }
        // Before the answer is looked for: see ReadyAnswers.
        var here = replica.revision();
        if (here < revision) {
            return Optional.empty();
        }
        var found = answers.find(path);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        ready.increment();
        var answer = found.get();
        return Optional.of(new Versioned<>(Math.max(here, answer.revision()), answer.body()));
    }

    /// A version in any state.
    ///
    /// @param revision that the answer must have at least
    public Versioned<VersionRecord> version(DatasetName dataset, VersionId version, long revision) {
        return read(
                new Lookup.OfVersion(dataset, version), revision, reads -> reads.version(dataset, version), _ -> true);
    }

    /// The highest sealed version.
    ///
    /// @param revision that the answer must have at least
    public Versioned<VersionRecord> latest(DatasetName dataset, long revision) {
        return read(new Lookup.OfLatest(dataset), revision, reads -> reads.latest(dataset), _ -> true);
    }

    /// A dataset with its first versions, as many as a page has.
    ///
    /// @param revision that the answer must have at least
    public Versioned<DatasetRecord> dataset(DatasetName dataset, long revision) {
        return read(
                new Lookup.OfDataset(dataset),
                revision,
                reads -> reads.dataset(dataset),
                record -> record.versions().size() <= MAX_VERSIONS);
    }

    private <T> Versioned<T> read(Lookup lookup, long revision, Function<Reads, T> reader, Predicate<T> isSmall) {
        var held = queries.atLeast(revision, reads -> {
            var value = reader.apply(reads);
            return new Held<>(
                    value, isSmall.test(value) ? answers.reserve(lookup, reads.revision()) : Optional.empty());
        });
        read.increment();
        var value = held.value().value();
        held.value().place().ifPresent(place -> {
            try (place) {
                place.fill(Json.bytes(value));
            }
        });
        return new Versioned<>(held.revision(), value);
    }

    private record Held<T>(T value, Optional<ReadyAnswers.Place> place) {}
}

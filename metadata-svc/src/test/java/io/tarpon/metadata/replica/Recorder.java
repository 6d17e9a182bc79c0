package io.tarpon.metadata.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.metadata.history.History;
import io.tarpon.metadata.history.Linearisability;
import io.tarpon.metadata.history.Model;
import io.tarpon.metadata.history.Operation;
import io.tarpon.metadata.history.Verdict;
import io.tarpon.metadata.image.BeginVersion;
import io.tarpon.metadata.image.Command;
import io.tarpon.metadata.image.ForgetNode;
import io.tarpon.metadata.image.ForgetVersion;
import io.tarpon.metadata.image.JoinNode;
import io.tarpon.metadata.image.LeaveNode;
import io.tarpon.metadata.image.RegisterDataset;
import io.tarpon.metadata.image.RemoveDataset;
import io.tarpon.metadata.image.SealShard;
import io.tarpon.metadata.image.VersionCommand;
import io.tarpon.metadata.image.VersionName;
import io.tarpon.metadata.sequential.Answer;
import io.tarpon.metadata.sequential.Ask;
import io.tarpon.metadata.sequential.DatasetModel;
import io.tarpon.metadata.sequential.NodeModel;
import io.tarpon.metadata.sequential.RequestModel;
import io.tarpon.metadata.sequential.View;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.metadata.DatasetRecord;
import io.tarpon.wire.metadata.NodeRegistration;
import io.tarpon.wire.metadata.ShardRecord;
import io.tarpon.wire.metadata.VersionRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;

/// What clients asked and were answered, by whichever replica, and whether one order of all that explains it. Nothing
/// of it is read from the log or from an image: it is what clients know.
///
/// A call is two operations: the command, and what its answer shows of the version, shard or dataset, which is read
/// after it. An append that may or may not have happened makes one more: the command without an answer, for the call
/// decides anew after it, as a client would that sends the command again. Reads that may be behind (without
/// `read=latest`) are not in it: that they show what the log says at their revision is the [Judge]'s.
final class Recorder {
    private static final int CONFIGURATIONS = 200_000;

    private final History<Ask, Answer> history = new History<>();

    /// One command on its way.
    final class Call {
        private final int client;
        private final Command<?> command;
        private final Ask ask;
        private long began = history.now();
        private boolean mayHaveHappened;

        private Call(int client, Command<?> command) {
            this.client = client;
            this.command = command;
            this.ask = new Ask.Do(command);
        }

        void appends() {
            began = history.now();
            mayHaveHappened = false;
        }

        void appended() {
            mayHaveHappened = true;
        }

        /// The append may or may not have happened, now or later.
        void doubts() {
            history.unanswered(client, ask, began);
        }

        /// It is so.
        ///
        /// @param changed by its last append
        void answered(boolean changed, Object answer) {
            history.answered(client, ask, began, changed ? new Answer.Changed() : new Answer.AlreadySo());
            shown(answer);
        }

        private void shown(Object answer) {
            switch (answer) {
                case VersionRecord record ->
                    saw(new Ask.SeeVersion(record.dataset(), record.version()), View.Version.of(record));
                case DatasetRecord record -> saw(new Ask.SeeDataset(record.dataset()), View.Dataset.of(record));
                case ShardRecord record -> saw(new Ask.SeeShard(((SealShard) command).ref()), View.Shard.of(record));
                case NodeRegistration registration ->
                    saw(new Ask.SeeNode(((JoinNode) command).node()), new View.Node(registration));
                default -> {
                    // The name that was given.
                }
            }
        }

        private void saw(Ask see, View view) {
            history.answered(client, see, began, new Answer.Seen(view));
        }

        void refused(ProblemType why) {
            history.answered(client, ask, began, new Answer.Refused(why));
        }

        /// Given up: nothing happened, unless its last append did.
        void failed() {
            if (mayHaveHappened) {
                history.unanswered(client, ask, began);
            }
        }

        /// Its process died in the middle of an append.
        void died() {
            history.unanswered(client, ask, began);
        }
    }

    Call call(int client, Command<?> command) {
        return new Call(client, command);
    }

    long now() {
        return history.now();
    }

    void saw(int client, Ask see, long began, Answer answer) {
        history.answered(client, see, began, answer);
    }

    /// What concerns each dataset, node and request is explained by itself. Throws an `AssertionError` where it is not.
    ///
    /// @param isBegunBy whether that version was begun by that request
    void check(BiPredicate<VersionName, String> isBegunBy) {
        parts(Recorder::dataset).forEach((name, part) -> check(name, new DatasetModel(), part));
        parts(Recorder::node).forEach((name, part) -> check(name, new NodeModel(), part));
        parts(Recorder::request).forEach((name, part) -> {
            var all = new ArrayList<>(part);
            history.operations().stream()
                    .filter(operation -> operation.input() instanceof Ask.Do(ForgetVersion forget)
                            && !(operation.output() instanceof Answer.Refused)
                            && isBegunBy.test(new VersionName(forget.dataset(), forget.version()), name))
                    .forEach(all::add);
            check(name, new RequestModel(), all);
        });
    }

    private Map<String, List<Operation<Ask, Answer>>> parts(
            Function<Operation<Ask, Answer>, Optional<String>> concerned) {
        var parts = new LinkedHashMap<String, List<Operation<Ask, Answer>>>();
        for (var operation : history.operations()) {
            concerned
                    .apply(operation)
                    .ifPresent(name ->
                            parts.computeIfAbsent(name, _ -> new ArrayList<>()).add(operation));
        }
        return parts;
    }

    private static <S> void check(String name, Model<S, Ask, Answer> model, List<Operation<Ask, Answer>> operations) {
        assertThat(Linearisability.check(model, operations, CONFIGURATIONS))
                .as("history of %s", name)
                .isInstanceOf(Verdict.Explained.class);
    }

    /// That a request has begun another dataset's version does not concern this one.
    private static Optional<String> dataset(Operation<Ask, Answer> operation) {
        return switch (operation.input()) {
            case Ask.SeeDataset see -> Optional.of(see.dataset().value());
            case Ask.SeeShards see -> Optional.of(see.dataset().value());
            case Ask.SeeVersion see -> Optional.of(see.dataset().value());
            case Ask.SeeShard see -> Optional.of(see.shard().dataset().value());
            case Ask.SeeNode _ -> Optional.empty();
            case Ask.Do(var command) ->
                switch (command) {
                    case BeginVersion begin ->
                        operation.output() instanceof Answer.Refused
                                ? Optional.empty()
                                : Optional.of(begin.dataset().value());
                    case RegisterDataset register ->
                        Optional.of(register.dataset().value());
                    case RemoveDataset remove -> Optional.of(remove.dataset().value());
                    case ForgetVersion forget -> Optional.of(forget.dataset().value());
                    case SealShard seal -> Optional.of(seal.ref().dataset().value());
                    case VersionCommand of -> Optional.of(of.dataset().value());
                    default -> Optional.empty();
                };
        };
    }

    private static Optional<String> node(Operation<Ask, Answer> operation) {
        return switch (operation.input()) {
            case Ask.SeeNode see -> Optional.of(see.node());
            case Ask.Do(JoinNode join) -> Optional.of(join.node());
            case Ask.Do(LeaveNode leave) -> Optional.of(leave.node());
            case Ask.Do(ForgetNode forget) -> Optional.of(forget.node());
            default -> Optional.empty();
        };
    }

    private static Optional<String> request(Operation<Ask, Answer> operation) {
        return operation.input() instanceof Ask.Do(BeginVersion begin)
                ? Optional.of(begin.requestId())
                : Optional.empty();
    }
}

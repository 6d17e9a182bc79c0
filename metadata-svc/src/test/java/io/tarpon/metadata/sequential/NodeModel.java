package io.tarpon.metadata.sequential;

import io.tarpon.metadata.image.Command;
import io.tarpon.metadata.image.ForgetNode;
import io.tarpon.metadata.image.JoinNode;
import io.tarpon.metadata.image.LeaveNode;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.metadata.NodeRegistration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One node: what it joined as last, or that it is none. Whether one that left is forgotten cannot be seen.
public final class NodeModel extends Stepping<NodeModel.Known> {
    /// @param registration null where it is not joined
    /// @param incarnation null where it did not tell
    public record Known(
            @Nullable NodeRegistration registration,
            @Nullable String incarnation) {
        static final Known ABSENT = new Known(null, null);
    }

    @Override
    public Known initial() {
        return Known.ABSENT;
    }

    @Override
    List<Step<Known>> steps(Known state, Command<?> command) {
        return switch (command) {
            case JoinNode join -> {
                var joined = new Known(join.registration(), join.incarnation());
                yield List.of(state.equals(joined) ? new Step.Nothing<>() : new Step.To<>(joined));
            }
            case LeaveNode leave -> List.of(leave(state, leave));
            case ForgetNode _ ->
                state.registration() == null
                        ? List.of(new Step.Nothing<>(), new Step.To<>(state))
                        : List.of(new Step.Nothing<>());
            default -> throw new IllegalArgumentException(command + " is not about a node");
        };
    }

    private static Step<Known> leave(Known state, LeaveNode leave) {
        if (state.registration() == null) {
            return new Step.Nothing<>();
        }
        var overtaken = leave.incarnation() != null
                && state.incarnation() != null
                && !Objects.equals(leave.incarnation(), state.incarnation());
        return overtaken ? new Step.Refusal<>(ProblemType.CONFLICT) : new Step.To<>(Known.ABSENT);
    }

    @Override
    Optional<View> view(Known state, Ask ask) {
        return Optional.ofNullable(state.registration()).map(View.Node::new);
    }
}

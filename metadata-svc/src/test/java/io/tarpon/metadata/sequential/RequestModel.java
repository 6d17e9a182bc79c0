package io.tarpon.metadata.sequential;

import io.tarpon.metadata.image.BeginVersion;
import io.tarpon.metadata.image.Command;
import io.tarpon.metadata.image.ForgetVersion;
import io.tarpon.wire.http.ProblemType;
import java.util.List;
import java.util.Optional;

/// One request to begin a version: the name of the dataset that it has begun one of, or nothing. Which number that
/// version has is for [DatasetModel].
public final class RequestModel extends Stepping<String> {
    private static final String NOTHING = "";

    @Override
    public String initial() {
        return NOTHING;
    }

    @Override
    List<Step<String>> steps(String state, Command<?> command) {
        return switch (command) {
            case BeginVersion begin -> List.of(begin(state, begin.dataset().value()));
            case ForgetVersion forget ->
                state.equals(forget.dataset().value())
                        ? List.of(new Step.Nothing<>(), new Step.To<>(NOTHING))
                        : List.of(new Step.Nothing<>());
            default -> throw new IllegalArgumentException(command + " is not about a request");
        };
    }

    private static Step<String> begin(String state, String dataset) {
        if (state.isEmpty()) {
            return new Step.To<>(dataset);
        }
        return state.equals(dataset) ? new Step.Nothing<>() : new Step.Refusal<>(ProblemType.CONFLICT);
    }

    @Override
    Optional<View> view(String state, Ask ask) {
        throw new IllegalArgumentException(ask + " sees no request");
    }
}

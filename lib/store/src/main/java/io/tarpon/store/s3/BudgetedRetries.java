package io.tarpon.store.s3;

import software.amazon.awssdk.retries.api.AcquireInitialTokenRequest;
import software.amazon.awssdk.retries.api.AcquireInitialTokenResponse;
import software.amazon.awssdk.retries.api.RecordSuccessRequest;
import software.amazon.awssdk.retries.api.RecordSuccessResponse;
import software.amazon.awssdk.retries.api.RefreshRetryTokenRequest;
import software.amazon.awssdk.retries.api.RefreshRetryTokenResponse;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.retries.api.RetryToken;
import software.amazon.awssdk.retries.api.TokenAcquisitionFailedException;

/// The SDK's retries, which know what may be repeated and when, on a budget that reads share when they go on after a
/// break. The SDK's own budget is for 100 repetitions of a client, which 64 readers use up in a second of trouble.
final class BudgetedRetries implements RetryStrategy {
    private final RetryStrategy rules;
    private final RetryBudget budget;

    /// @param rules without a budget of its own
    BudgetedRetries(RetryStrategy rules, RetryBudget budget) {
        this.rules = rules;
        this.budget = budget;
    }

    private record Token(RetryToken ofRules, int repetitions) implements RetryToken {}

    @Override
    public AcquireInitialTokenResponse acquireInitialToken(AcquireInitialTokenRequest request) {
        var first = rules.acquireInitialToken(request);
        return AcquireInitialTokenResponse.create(new Token(first.token(), 0), first.delay());
    }

    @Override
    public RefreshRetryTokenResponse refreshRetryToken(RefreshRetryTokenRequest request) {
        var token = (Token) request.token();
        var next = rules.refreshRetryToken(
                request.toBuilder().token(token.ofRules()).build());
        if (!budget.take()) {
            throw new TokenAcquisitionFailedException(
                    "the retry budget of this client is used up", token, request.failure());
        }
        return RefreshRetryTokenResponse.create(new Token(next.token(), token.repetitions() + 1), next.delay());
    }

    @Override
    public RecordSuccessResponse recordSuccess(RecordSuccessRequest request) {
        var token = (Token) request.token();
        rules.recordSuccess(RecordSuccessRequest.create(token.ofRules()));
        budget.succeeded(token.repetitions());
        return RecordSuccessResponse.create(token);
    }

    @Override
    public int maxAttempts() {
        return rules.maxAttempts();
    }

    /// The client would build new rules from these, without the budget.
    @Override
    public boolean useClientDefaults() {
        return false;
    }

    @Override
    public Builder<?, ?> toBuilder() {
        return rules.toBuilder();
    }
}

package io.tarpon.gateway.api;

import io.tarpon.service.api.ProblemAnswer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;

/// An error as the last answer on a connection.
final class LastAnswer {
    private LastAnswer() {}

    /// Answers, says with which status, and ends the connection gently: nothing more is read as a request, and what the
    /// client is still sending is taken until it has read the answer.
    static int send(HttpServerRequest request, Throwable thrown) {
        var client = ClientConnection.of(((ConnectionBase) request.connection()).channel());
        client.refuseMore();
        request.response().putHeader("Connection", "close");
        var status = ProblemAnswer.send(request, thrown);
        client.endGently();
        return status;
    }
}

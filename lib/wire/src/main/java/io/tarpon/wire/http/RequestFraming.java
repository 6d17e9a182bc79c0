package io.tarpon.wire.http;

import java.util.List;
import java.util.Optional;

/// Refuses requests whose length two programs could read differently (request smuggling). Netty catches most
/// forms; what it leaves, above all a `Transfer-Encoding` whose last coding is not `chunked`, is refused here,
/// on every port.
public final class RequestFraming {
    private RequestFraming() {}

    /// Why the request must be refused and its connection closed, or empty. The lists hold every value of the header as
    /// sent.
    public static Optional<String> flaw(
            List<String> contentLengths, List<String> transferEncodings, List<String> hosts) {
        if (!transferEncodings.isEmpty()) {
            if (!contentLengths.isEmpty()) {
                return Optional.of("both Content-Length and Transfer-Encoding are given");
            }
            if (transferEncodings.size() > 1
                    || !transferEncodings.getFirst().strip().equalsIgnoreCase("chunked")) {
                return Optional.of("Transfer-Encoding is not exactly 'chunked'");
            }
        }
        if (contentLengths.size() > 1) {
            return Optional.of("Content-Length is given more than once");
        }
        if (!contentLengths.isEmpty() && !isDecimal(contentLengths.getFirst())) {
            return Optional.of("Content-Length is not a decimal number");
        }
        if (hosts.size() > 1) {
            return Optional.of("Host is given more than once");
        }
        return Optional.empty();
    }

    private static boolean isDecimal(String value) {
        return !value.isEmpty() && value.length() <= 19 && value.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}

package io.tarpon.store.s3;

import java.io.IOException;

/// An answer of status 200 or 206 that cannot be what was asked for: without an ETag (an error document, a proxy's
/// page), with another length than the object has, with another range. Asking again may help.
final class BrokenAnswerException extends IOException {
    BrokenAnswerException(String message) {
        super(message);
    }
}

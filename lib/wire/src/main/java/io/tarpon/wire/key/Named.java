package io.tarpon.wire.key;

/// What policy `k1` says of one source key, from its name alone.
public sealed interface Named {
    /// The file can become a member.
    ///
    /// @param sampleKey source key up to the first dot of its last component, as found
    /// @param extension what follows that dot, as found; never empty
    /// @param finalExtension the extension in the tar: 1 to 32 bytes of `[a-z0-9._-]`
    record Member(String sampleKey, String extension, String finalExtension) implements Named {
        public Member {
            if (extension.isEmpty() || finalExtension.isEmpty()) {
                throw new IllegalArgumentException("a member has an extension: " + sampleKey);
            }
        }
    }

    /// The file is left out.
    record LeftOut(LeftOutReason reason) implements Named {}
}

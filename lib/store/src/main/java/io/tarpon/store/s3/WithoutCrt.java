package io.tarpon.store.s3;

import com.oracle.svm.core.annotate.Substitute;
import com.oracle.svm.core.annotate.TargetClass;
import software.amazon.awssdk.checksums.SdkChecksum;
import software.amazon.awssdk.checksums.spi.ChecksumAlgorithm;

/// Checksums that the SDK has only through its own native library (AWS CRT), which Tarpon does not carry and no
/// request of ours asks for. A JVM never loads what they call; a native image links all it can reach, and could
/// not link them. Where one were asked for, the answer is the one of a JVM without the library: it fails.
@SuppressWarnings("DoNotCallSuggester")
@TargetClass(className = "software.amazon.awssdk.checksums.internal.ChecksumProvider")
final class WithoutCrt {
    private WithoutCrt() {}

    @Substitute
    static SdkChecksum createCrtCrc32C() {
        throw new UnsupportedOperationException("CRC32C needs aws-crt");
    }

    @Substitute
    static SdkChecksum crc64NvmeCrtImplementation() {
        throw new UnsupportedOperationException("CRC64NVME needs aws-crt");
    }

    @Substitute
    static SdkChecksum crtXxHash(ChecksumAlgorithm algorithm) {
        throw new UnsupportedOperationException(algorithm.algorithmId() + " needs aws-crt");
    }
}

package io.tarpon.store.s3;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import software.amazon.awssdk.services.s3.model.ChecksumType;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ServerSideEncryption;

/// What the bytes of one whole object must add up to, by the server's own word. For one thread.
interface BodySum {
    void add(byte[] bytes, int offset, int count);

    /// Compares what was added; to be asked once.
    boolean matches();

    /// What a person knows it by.
    String name();

    /// Only of the first answer about an object, which is about the whole of it: its CRC, else the MD5 that its ETag
    /// is. Empty when there is neither: an object of several parts, or one encrypted with its owner's key, has an
    /// ETag that is no MD5.
    static Optional<BodySum> of(GetObjectResponse answer, boolean checkETag) {
        if (answer.checksumType() != ChecksumType.COMPOSITE) {
            if (answer.checksumCRC32C() != null) {
                return Optional.of(new Crc("CRC-32C", new CRC32C(), answer.checksumCRC32C()));
            }
            if (answer.checksumCRC32() != null) {
                return Optional.of(new Crc("CRC-32", new CRC32(), answer.checksumCRC32()));
            }
        }
        return checkETag ? Md5.of(answer) : Optional.empty();
    }

    /// @param expected base64 of the four bytes
    record Crc(String name, Checksum sum, String expected) implements BodySum {
        @Override
        public void add(byte[] bytes, int offset, int count) {
            sum.update(bytes, offset, count);
        }

        @Override
        public boolean matches() {
            byte[] bytes = ByteBuffer.allocate(4).putInt((int) sum.getValue()).array();
            return Base64.getEncoder().encodeToString(bytes).equals(expected);
        }
    }

    /// @param expected lower-case hex
    record Md5(MessageDigest sum, String expected) implements BodySum {
        private static final Pattern HEX = Pattern.compile("[0-9a-fA-F]{32}");

        static Optional<BodySum> of(GetObjectResponse answer) {
            String etag = ETags.unquoted(answer.eTag());
            var encryption = answer.serverSideEncryption();
            boolean plain = (encryption == null || encryption == ServerSideEncryption.AES256)
                    && answer.sseCustomerAlgorithm() == null;
            return plain && HEX.matcher(etag).matches()
                    ? Optional.of(new Md5(md5(), etag.toLowerCase(Locale.ROOT)))
                    : Optional.empty();
        }

        @Override
        public void add(byte[] bytes, int offset, int count) {
            sum.update(bytes, offset, count);
        }

        @Override
        public boolean matches() {
            return HexFormat.of().formatHex(sum.digest()).equals(expected);
        }

        @Override
        public String name() {
            return "ETag (MD5)";
        }

        private static MessageDigest md5() {
            try {
                return MessageDigest.getInstance("MD5");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every JVM has MD5", e);
            }
        }
    }
}

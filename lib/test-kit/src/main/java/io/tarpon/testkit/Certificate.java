package io.tarpon.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// A server's certificate, signed by itself: nobody trusts it who is not told to.
///
/// @param keys a PKCS #12 file with the certificate and its key
/// @param trust a PKCS #12 file with the certificate alone
public record Certificate(Path keys, Path trust) {
    /// Of both files.
    public static final String PASSWORD = "for-tests-only";

    private static final long SECONDS = 60;

    /// @param folder is made; holds the files
    /// @param name whose it is, as `dns:localhost` or `ip:127.0.0.1`
    public static Certificate in(Path folder, String name) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        var made = new Certificate(folder.resolve("keys.p12"), folder.resolve("trust.p12"));
        var exported = folder.resolve("server.cer").toString();
        keytool(
                made.keys,
                "-genkeypair",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=" + name);
        keytool(made.keys, "-exportcert", "-file", exported);
        keytool(made.trust, "-importcert", "-file", exported, "-noprompt");
        return made;
    }

    /// Of one who shows this certificate and trusts it.
    public SSLContext context() throws IOException, GeneralSecurityException {
        var password = PASSWORD.toCharArray();
        var keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keyManagers.init(KeyStore.getInstance(keys.toFile(), password), password);
        var trustManagers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trustManagers.init(KeyStore.getInstance(trust.toFile(), password));
        var context = SSLContext.getInstance("TLS");
        context.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), null);
        return context;
    }

    private static void keytool(Path store, String command, String... arguments)
            throws IOException, InterruptedException {
        var all = new ArrayList<>(List.of(Jvm.program("keytool"), command, "-alias", "server"));
        all.addAll(List.of("-keystore", store.toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
        all.addAll(List.of(arguments));
        var process = new ProcessBuilder(all).inheritIO().start();
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException("keytool " + command + " failed");
        }
    }
}

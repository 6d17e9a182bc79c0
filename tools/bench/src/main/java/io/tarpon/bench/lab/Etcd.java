package io.tarpon.bench.lab;

import io.tarpon.bench.load.Request;
import io.tarpon.cluster.plan.Member;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/// One etcd with its usual settings, asked by the JSON form of its interface: the same client then measures
/// both sides, and etcd pays for one translation more than its own clients let it pay.
public final class Etcd {
    private Etcd() {}

    public static Member start(Lab lab, Path program, Path home) {
        int port = lab.freePort();
        var url = "http://127.0.0.1:" + port;
        var peers = "http://127.0.0.1:" + lab.freePort();
        var command = List.of(
                program.toString(),
                "--name=bench",
                "--data-dir=" + home,
                "--listen-client-urls=" + url,
                "--advertise-client-urls=" + url,
                "--listen-peer-urls=" + peers,
                "--initial-advertise-peer-urls=" + peers,
                "--initial-cluster=bench=" + peers,
                "--log-level=error");
        return lab.start(Member.of("etcd", url, command, Map.of()));
    }

    public static Request put(String key, String value) {
        return Request.send(
                "POST", "/v3/kv/put", "", "{\"key\":\"" + base64(key) + "\",\"value\":\"" + base64(value) + "\"}");
    }

    /// A read that a quorum vouches for, as metadata-svc's own is.
    public static Request get(String key) {
        return Request.send("POST", "/v3/kv/range", "", "{\"key\":\"" + base64(key) + "\"}");
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}

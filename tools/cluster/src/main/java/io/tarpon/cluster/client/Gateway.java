package io.tarpon.cluster.client;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.wire.gateway.DatasetsDocument;
import io.tarpon.wire.gateway.EpochsDocument;
import io.tarpon.wire.gateway.ReportLine;
import io.tarpon.wire.gateway.ShardsDocument;
import io.tarpon.wire.gateway.VersionDocument;
import io.tarpon.wire.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// loader-gateway, as any loader sees it (contracts section 2).
public final class Gateway {
    /// A canonical decimal, alone or before an extension; `000123` is a key.
    private static final Pattern ORDINAL = Pattern.compile("(0|[1-9][0-9]*)([.].*)?", Pattern.DOTALL);

    private final Http http;
    private final String url;

    public Gateway(Http http, String url) {
        this.http = http;
        this.url = url;
    }

    public String url() {
        return url;
    }

    public DatasetsDocument datasets() {
        return http.get(url + "/v1/datasets", DatasetsDocument.class);
    }

    /// The epoch streams that are open now.
    public EpochsDocument epochs() {
        return http.get(url + "/v1/epochs", EpochsDocument.class);
    }

    public VersionDocument version(String dataset, String version) {
        return http.get(url + "/v1/datasets/" + dataset + "/" + version, VersionDocument.class);
    }

    /// Every shard of a split, in order.
    public List<ShardsDocument.Shard> shards(String dataset, String version, String split) {
        var all = new ArrayList<ShardsDocument.Shard>();
        var base = url + "/v1/datasets/" + dataset + "/" + version + "/" + split + "/shards?limit=10000";
        var page = http.get(base, ShardsDocument.class);
        all.addAll(page.shards());
        while (page.next() != null) {
            page = http.get(base + "&after=" + page.next(), ShardsDocument.class);
            all.addAll(page.shards());
        }
        return all;
    }

    public List<ReportLine> report(String dataset, String version) {
        var stream = http.stream(url + "/v1/datasets/" + dataset + "/" + version + "/report");
        try (var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            var report = new ArrayList<ReportLine>();
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                report.add(Json.read(line.getBytes(StandardCharsets.UTF_8), ReportLine.class));
            }
            return report;
        } catch (IOException e) {
            throw CommandFailure.failed("the report broke off: " + e.getMessage(), "try again");
        }
    }

    /// The bytes of one shard.
    public InputStream shard(String dataset, String version, String split, String shard) {
        return http.stream(splitUrl(dataset, version, split) + "/" + shard + ".tar");
    }

    /// The bytes of a sample or member, by ordinal or by key.
    public InputStream sample(String dataset, String version, String split, String selector) {
        var path = ORDINAL.matcher(selector).matches() ? "/samples/" : "/keys/";
        return http.stream(splitUrl(dataset, version, split) + path + encoded(selector));
    }

    public String splitUrl(String dataset, String version, String split) {
        return url + "/d/" + dataset + "/" + version + "/" + split;
    }

    private static String encoded(String path) {
        return Arrays.stream(path.split("/", -1))
                .map(part -> URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20"))
                .collect(Collectors.joining("/"));
    }
}

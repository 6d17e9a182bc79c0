package io.tarpon.ingest;

import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.event.DatasetUploaded;
import io.tarpon.wire.event.Events;
import io.tarpon.wire.metadata.VersionRecord;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Uploads by HTTP to a service that runs, and what became of them.
///
/// @param service of ingest-fn
record Uploads(URI service, URI metadata) {
    /// Small shards: of some 16 KB.
    static final String SMALL_SHARDS = ",\"spec\":{\"shardBytes\":16384}";

    /// A folder of so many files of that size.
    static Path folder(Path folder, int files, int bytes) throws IOException {
        Files.createDirectory(folder);
        for (int i = 0; i < files; i++) {
            Files.write(folder.resolve("i%04d.jpg".formatted(i)), new byte[bytes]);
        }
        return folder;
    }

    HttpResponse<String> post(String id, String dataset, Path folder) throws Exception {
        return post(id, dataset, folder, "");
    }

    /// @param more of the event's data
    HttpResponse<String> post(String id, String dataset, Path folder, String more) throws Exception {
        var event = "{\"specversion\":\"1.0\",\"id\":\"" + id + "\",\"source\":\"/test\",\"type\":\""
                + DatasetUploaded.TYPE + "\",\"data\":{\"source\":\"file://" + folder + "\",\"dataset\":\"" + dataset
                + "\"" + more + "}}";
        try (var http = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(service)
                    .header("Authorization", "Bearer " + IngestSurroundings.TOKEN)
                    .header("Content-Type", Events.CONTENT_TYPE)
                    .POST(BodyPublishers.ofString(event))
                    .build();
            return http.send(request, BodyHandlers.ofString());
        }
    }

    /// The version of a request, once there is one.
    Optional<VersionRecord> version(String id) throws IOException {
        try (var client = MetadataClient.readOnly(metadata)) {
            return client.versionOfRequest(id);
        }
    }
}

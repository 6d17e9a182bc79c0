package io.tarpon.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Source references against a service's configuration, read as a service reads it.
class SourcesTest {
    @TempDir
    Path temp;

    private Path allowed;
    private Path photos;
    private Path rootsFile;

    /// As a service declares it.
    @ConfigMapping(prefix = "tarpon")
    interface ServiceConfig extends SourcesConfig {
        StoreConfig store();
    }

    @BeforeEach
    void folders() throws IOException {
        temp = temp.toRealPath();
        allowed = Files.createDirectory(temp.resolve("allowed"));
        photos = Files.createDirectory(allowed.resolve("my photos é%"));
        Files.writeString(photos.resolve("a.jpg"), "x");
        Files.createDirectory(temp.resolve("elsewhere"));
        rootsFile = temp.resolve("roots");
    }

    @Test
    void aConfiguredIdOpensItsFolder() throws Exception {
        try (var sources = sources(Map.of())) {
            assertThat(keys(sources, "photos")).containsExactly("a.jpg");
            assertThat(sources.normalise("photos")).isEqualTo("photos");
        }
    }

    @Test
    void aFolderBelowAnAllowedOneOpensByItsUri() throws Exception {
        try (var sources = sources(Map.of())) {
            assertThat(keys(sources, photos.toUri().toString())).containsExactly("a.jpg");
            assertThat(keys(sources, allowed.toUri().toString())).containsExactly("my photos é%/a.jpg");
        }
    }

    @Test
    void everySpellingOfAFolderIsNormalisedToOne() throws Exception {
        Path link = Files.createSymbolicLink(allowed.resolve("link"), photos);
        try (var sources = sources(Map.of())) {
            String one = sources.normalise(photos.toUri().toString());
            assertThat(one).startsWith("file:///").endsWith("/my%20photos%20%C3%A9%25");
            assertThat(Path.of(URI.create(one))).isEqualTo(photos);
            assertThat(sources.normalise(one)).isEqualTo(one);
            assertThat(sources.normalise(link.toUri().toString())).isEqualTo(one);
            assertThat(sources.normalise("file:" + allowed + "/x/../my%20photos%20%C3%A9%25/"))
                    .isEqualTo(one);
        }
    }

    @Test
    void aFolderElsewhereIsUnknown() throws Exception {
        Files.createSymbolicLink(allowed.resolve("escape"), temp.resolve("elsewhere"));
        try (var sources = sources(Map.of())) {
            for (String path :
                    List.of("elsewhere", "allowed/../elsewhere", "allowed/escape", "allowedly", "not-there", "")) {
                String reference = "file://" + temp + "/" + path;
                assertThatThrownBy(() -> sources.open(reference))
                        .as(reference)
                        .isInstanceOf(UnknownSourceException.class)
                        .hasMessageContaining(reference)
                        .hasMessageContaining("tarpon.directory-roots");
                assertThatThrownBy(() -> sources.normalise(reference)).isInstanceOf(UnknownSourceException.class);
            }
        }
    }

    @Test
    void aMissingFolderInAnAllowedOneIsNamed() {
        try (var sources = sources(Map.of())) {
            assertThatThrownBy(() -> sources.open("file://" + allowed + "/not-there"))
                    .isInstanceOf(NoSuchFileException.class)
                    .hasMessageContaining(allowed + "/not-there: there is no such folder");
        }
    }

    @Test
    void aLineAppendedToTheRootsFileCountsAtOnce() throws Exception {
        String elsewhere = temp.resolve("elsewhere").toUri().toString();
        try (var sources = sources(Map.of())) {
            assertThatThrownBy(() -> sources.open(elsewhere))
                    .isInstanceOf(UnknownSourceException.class)
                    .hasMessageContaining(rootsFile.toString());
            Files.writeString(rootsFile, "\n" + temp.resolve("elsewhere") + "\n");
            assertThat(keys(sources, elsewhere)).isEmpty();
        }
    }

    @Test
    void aLineWithoutItsNewlineDoesNotCountYet() throws Exception {
        Files.writeString(rootsFile, temp.toString());
        try (var sources = sources(Map.of())) {
            String elsewhere = temp.resolve("elsewhere").toUri().toString();
            assertThatThrownBy(() -> sources.open(elsewhere)).isInstanceOf(UnknownSourceException.class);
            Files.writeString(rootsFile, "/elsewhere\n", StandardOpenOption.APPEND);
            assertThat(keys(sources, elsewhere)).isEmpty();
        }
    }

    @Test
    void aPrefixOfAConfiguredBucketIsAFolderOfIt() throws Exception {
        try (var sources = sources(Map.of())) {
            assertThat(sources.normalise("s3://raw-data/in/birds")).isEqualTo("s3://raw-data/in/birds/");
            assertThat(sources.normalise("s3://raw-data/in/birds/")).isEqualTo("s3://raw-data/in/birds/");
            assertThat(sources.normalise("s3://raw-data/in")).isEqualTo("s3://raw-data/in/");
            assertThat(sources.normalise("bucket")).isEqualTo("bucket");
        }
    }

    @Test
    void twoSourcesThatHoldOnePrefixAreToldApartByIdOnly() {
        var more = Map.of(
                "tarpon.sources.twin.kind",
                "s3",
                "tarpon.sources.twin.bucket",
                "raw-data",
                "tarpon.sources.twin.prefix",
                "in/");
        try (var sources = sources(more)) {
            assertThatThrownBy(() -> sources.open("s3://raw-data/in/birds"))
                    .isInstanceOf(UnknownSourceException.class)
                    .hasMessageContaining("bucket and twin");
        }
    }

    @Test
    void ofTwoPrefixesTheNearerOneIsTaken() throws Exception {
        var more = Map.of(
                "tarpon.sources.near.kind",
                "s3",
                "tarpon.sources.near.bucket",
                "raw-data",
                "tarpon.sources.near.prefix",
                "in/b");
        try (var sources = sources(more)) {
            assertThat(sources.normalise("s3://raw-data/in/birds")).isEqualTo("s3://raw-data/in/birds/");
        }
    }

    @Test
    void aNotificationsObjectIsLocatedInTheNearestSource() throws Exception {
        var more = Map.of(
                "tarpon.sources.near.kind",
                "s3",
                "tarpon.sources.near.bucket",
                "raw-data",
                "tarpon.sources.near.prefix",
                "in/near/");
        try (var sources = sources(more)) {
            assertThat(sources.locate("raw-data", "in/birds/_SUCCESS"))
                    .contains(new ConfiguredObject("bucket", "birds/_SUCCESS"));
            assertThat(sources.locate("raw-data", "in/near/birds/_SUCCESS"))
                    .contains(new ConfiguredObject("near", "birds/_SUCCESS"));
            assertThat(sources.reference("bucket", "birds/")).isEqualTo("s3://raw-data/in/birds/");
            assertThat(sources.reference("bucket", "")).isEqualTo("s3://raw-data/in/");
            assertThat(sources.normalise(sources.reference("near", "birds/")))
                    .isEqualTo("s3://raw-data/in/near/birds/");
            assertThatThrownBy(() -> sources.reference("photos", "birds/")).isInstanceOf(UnknownSourceException.class);
            assertThatThrownBy(() -> sources.reference("bucket", "birds")).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void whatNoSourceHoldsOrTwoHoldEquallyIsNotLocated() {
        var more = Map.of(
                "tarpon.sources.twin.kind",
                "s3",
                "tarpon.sources.twin.bucket",
                "raw-data",
                "tarpon.sources.twin.prefix",
                "in/");
        try (var sources = sources(more)) {
            assertThat(sources.locate("raw-data", "in/birds/_SUCCESS")).isEmpty();
        }
        try (var sources = sources(Map.of())) {
            for (String bucket : List.of("", "other", "127.0.0.1", "raw-data@evil", "RAW-DATA", "raw-data/in")) {
                assertThat(sources.locate(bucket, "in/birds/_SUCCESS"))
                        .as(bucket)
                        .isEmpty();
            }
            for (String key : List.of("", "in", "in/", "out/birds/_SUCCESS", "/in/birds/_SUCCESS")) {
                assertThat(sources.locate("raw-data", key)).as(key).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nobody",
                "Photos",
                "../photos",
                "http://127.0.0.1/x",
                "s3://",
                "s3:///in/",
                "s3://other/in/",
                "s3://raw-data",
                "s3://raw-data/i",
                "s3://raw-data/out/",
                "s3://evil@raw-data/in/",
                "file:relative",
                "file://host/allowed",
                "file:///a b",
                "file:///a%zz",
                "file:///a?x",
                "file:///a#x",
                "file:///a%00b",
                "file:",
                "/etc",
                "pipe:cat",
                "photos\n"
            })
    void whatIsNotConfiguredIsUnknownAndNamed(String reference) {
        try (var sources = sources(Map.of())) {
            assertThatThrownBy(() -> sources.open(reference))
                    .isInstanceOfSatisfying(
                            UnknownSourceException.class,
                            e -> assertThat(e.reference()).isEqualTo(reference))
                    .hasMessageContaining("unknown source: " + reference);
        }
    }

    @Test
    void badConfigurationIsRefusedByTheNameOfItsKey() {
        badConfiguration("tarpon.sources.photos.root", "relative");
        badConfiguration("tarpon.directory-roots", "relative");
        badConfiguration("tarpon.directory-roots-file", "relative");
        badConfiguration("tarpon.sources.bucket.bucket", "arn:aws:s3:::x");
        badConfiguration("tarpon.sources.bucket.endpoint", "localhost:9000");
        badConfiguration("tarpon.sources.bucket.endpoint", "file:///etc");
        badConfiguration("tarpon.sources.bucket.attempts", "0");
        badConfiguration("tarpon.sources.bucket.read-timeout", "PT0S");
        badConfiguration("tarpon.sources.bucket.part-bytes", "5");
        badConfiguration("tarpon.sources.bucket.access-key-id", "without-secret");
        badConfiguration("tarpon.sources.Bad_Id.kind", "s3");
    }

    @Test
    void aStoreOfKindDirectoryNeedsAnAbsoluteRoot() throws Exception {
        assertThatThrownBy(() -> Stores.open(config(Map.of()).store()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tarpon.store.directory.root is needed");
        var root = Map.of("tarpon.store.directory.root", temp.resolve("store").toString());
        try (var store = Stores.open(config(root).store())) {
            store.write("k", new byte[1]);
        }
        assertThat(temp.resolve("store/k")).isRegularFile();
    }

    @Test
    void aStoreOfKindS3NeedsABucket() {
        assertThatThrownBy(() ->
                        Stores.open(config(Map.of("tarpon.store.kind", "s3")).store()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tarpon.store.s3.bucket is needed");
    }

    private void badConfiguration(String key, String value) {
        assertThatThrownBy(() -> sources(Map.of(key, value)).close())
                .as(key)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(key.replace(".kind", ""));
    }

    private Sources sources(Map<String, String> more) {
        return new Sources(config(more));
    }

    private ServiceConfig config(Map<String, String> more) {
        var values = new HashMap<String, String>();
        values.put("tarpon.sources.photos.kind", "directory");
        values.put("tarpon.sources.photos.root", photos.toString());
        values.put("tarpon.sources.bucket.kind", "s3");
        values.put("tarpon.sources.bucket.endpoint", "http://127.0.0.1:1");
        values.put("tarpon.sources.bucket.bucket", "raw-data");
        values.put("tarpon.sources.bucket.prefix", "in/");
        values.put("tarpon.directory-roots", allowed.toString());
        values.put("tarpon.directory-roots-file", rootsFile.toString());
        values.putAll(more);
        return new SmallRyeConfigBuilder()
                .withMapping(ServiceConfig.class)
                .withDefaultValues(values)
                .build()
                .getConfigMapping(ServiceConfig.class);
    }

    private static List<String> keys(Sources sources, String reference) throws IOException {
        var keys = new ArrayList<String>();
        try (var source = sources.open(reference)) {
            source.list(object -> keys.add(object.key()));
        }
        return keys;
    }
}

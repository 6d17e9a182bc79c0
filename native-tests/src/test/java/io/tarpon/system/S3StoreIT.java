package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The local cluster on the local S3 server: objects in a bucket, raw data from another.
class S3StoreIT {
    @TempDir
    static Path scratch = Path.of("");

    private static Tarpon tarpon = new Tarpon(Path.of(""));

    @BeforeAll
    static void start() {
        tarpon = new Tarpon(scratch.resolve("home"));
        tarpon.run("up", "--store", "s3").succeeded();
    }

    @AfterAll
    static void stop() {
        tarpon.close();
    }

    @Test
    void aFolderOfABucketBecomesAVersionThatLiesInABucket() throws IOException {
        var keys = tarpon.home().resolve("s3-credentials");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(keys)))
                .isEqualTo("rw-------");
        var folder = Folders.plain(scratch.resolve("folder"), 3, 50, 30_000, 31);
        var buckets = Buckets.of(tarpon);
        buckets.putFolder("raw", "flowers/", folder);
        tarpon.run("ingest", "s3://raw/flowers", "--dataset", "flowers", "--shard-size", "1MiB")
                .succeeded();
        var checked = tarpon.run("verify", "flowers", "--source", "--json")
                .succeeded()
                .json();
        assertThat(checked.get("members").asLong()).isEqualTo(Folders.count(folder));
        assertThat(buckets.count("tarpon", "datasets/flowers/v1/train/")).isPositive();
        assertThat(Folders.find(tarpon.home().resolve("store"), "flowers")).isEmpty();

        tarpon.run("rm", "flowers").succeeded();
        tarpon.run("gc").succeeded();
        assertThat(buckets.count("tarpon", "datasets/flowers/")).isZero();
        assertThat(buckets.count("raw", "flowers/")).isEqualTo(Math.toIntExact(Folders.count(folder)));
    }

    @Test
    void theChoiceOfTheStoreStaysAndIsNotChangedUnderTheData() throws IOException {
        tarpon.run(
                        "ingest",
                        Folders.plain(scratch.resolve("f"), 1, 10, 5000, 32).toString(),
                        "--dataset",
                        "kept")
                .succeeded();
        tarpon.run("down").succeeded();
        var other = tarpon.run("up", "--store", "directory");
        assertThat(other.exit()).isEqualTo(1);
        assertThat(other.err()).contains("--store s3").contains("TARPON_HOME");
        tarpon.run("up").succeeded();
        assertThat(tarpon.url("s3")).startsWith("http://127.0.0.1:");
        tarpon.run("verify", "kept", "--source").succeeded();
        var unknown = tarpon.run("ingest", "s3://other/x", "--dataset", "x");
        assertThat(unknown.exit()).isEqualTo(1);
        assertThat(unknown.err()).contains("other").contains("s3://raw/");
    }
}

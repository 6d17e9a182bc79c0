package io.tarpon.cluster.plan;

import java.nio.file.Path;

/// Where a cluster keeps things, and where its programs lie.
///
/// @param state the state folder, `TARPON_HOME`
/// @param product the checkout that the launcher stands in
public record ClusterPaths(Path state, Path product) {
    public Path roster() {
        return state.resolve("cluster.json");
    }

    public Path token() {
        return state.resolve("token");
    }

    public Path directoryRoots() {
        return state.resolve("directory-roots");
    }

    public Path log(String name) {
        return state.resolve("logs").resolve(name + ".log");
    }

    /// What a process prints itself: nothing on a good day, its last words on a bad one.
    public Path output(String name) {
        return state.resolve("logs").resolve(name + ".out");
    }

    public Path data(String name) {
        return state.resolve(name);
    }

    public Path store() {
        return state.resolve("store");
    }

    /// The word for where objects are kept; `store` is the folder itself.
    public Path storeKind() {
        return state.resolve("store-kind");
    }

    /// The state of one process of metadata-svc.
    ///
    /// @param number from 1
    public Path metadata(int number) {
        return data(number == 1 ? "metadata" : "metadata-" + number);
    }

    /// How many processes of metadata-svc there are, in decimal.
    public Path metadataReplicas() {
        return state.resolve("metadata-replicas");
    }

    /// The word for where the metadata log is kept; there is none where nothing but the number of processes says it.
    public Path metadataLog() {
        return state.resolve("metadata-log");
    }

    /// On how many machines the cluster is.
    public Path layout() {
        return state.resolve("layout");
    }

    public Path s3Keys() {
        return state.resolve("s3-credentials");
    }

    public Path demoImages() {
        return state.resolve("demo-images");
    }

    public Path serviceJar(String module) {
        return product.resolve(module).resolve("target/quarkus-app/quarkus-run.jar");
    }

    /// What the build keeps of a start of the service, so that later ones are quicker.
    public Path serviceAot(String module) {
        return serviceJar(module).resolveSibling("app.aot");
    }

    /// The same of a program of `local-servers`.
    Path serverAot(String module) {
        return product.resolve("tools/local-servers").resolve(module).resolve("target/" + module + ".aot");
    }

    public Path executable(String module) {
        return product.resolve(module).resolve("target").resolve(module + "-runner");
    }
}

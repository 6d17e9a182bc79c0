package io.tarpon.bench.lab;

import java.nio.file.Path;

/// Configurations of nginx as one who knows it would set it for large files on loopback. No `sndbuf`: the kernel's own
/// tuning is cheaper.
public final class NginxConfig {
    private NginxConfig() {}

    /// Where the files are served once more, for small ranges. With `tcp_nopush` nginx leaves the end of an
    /// answer to Nagle, which on loopback (one segment holds 64 KiB) waits 40 ms for a delayed acknowledgement.
    /// The CPU time of an answer is the same.
    public static final String RANGES = "/ranges";

    /// Serves the files below `root` by `sendfile`.
    ///
    /// @param user who runs it: as root nginx changes to another user, who may not look into our folder
    public static String files(String user, Path home, Path root, int port) {
        return render(user, home, """
                sendfile on;
                sendfile_max_chunk 2m;
                open_file_cache max=1024 inactive=300s;
                open_file_cache_valid 300s;
                server {
                    listen 127.0.0.1:%d backlog=1024;
                    location / { root "%s"; }
                    location /ranges/ { alias "%s/"; tcp_nopush off; }
                }
            """.formatted(port, root, root));
    }

    /// Hands everything on to another server, whose connections are kept.
    public static String proxy(String user, Path home, int port, int upstreamPort) {
        return render(user, home, """
                upstream files {
                    server 127.0.0.1:%d;
                    keepalive 64;
                    keepalive_requests 1000000;
                }
                server {
                    listen 127.0.0.1:%d backlog=1024;
                    location / {
                        proxy_pass http://files;
                        proxy_http_version 1.1;
                        proxy_set_header Connection "";
                        proxy_buffer_size 64k;
                        proxy_buffers 16 64k;
                        proxy_busy_buffers_size 256k;
                        proxy_max_temp_file_size 0;
                    }
                }
            """.formatted(upstreamPort, port));
    }

    private static String render(String user, Path home, String http) {
        return """
            %sdaemon off;
            worker_processes 2;
            error_log stderr warn;
            pid "%s/nginx.pid";
            events {
                worker_connections 4096;
            }
            http {
                access_log off;
                default_type application/octet-stream;
                tcp_nopush on;
                tcp_nodelay on;
                keepalive_timeout 300s;
                keepalive_requests 1000000;
                client_body_temp_path "%s/body";
                proxy_temp_path "%s/proxy";
                fastcgi_temp_path "%s/fastcgi";
                uwsgi_temp_path "%s/uwsgi";
                scgi_temp_path "%s/scgi";
            %s}
            """.formatted(user.equals("root") ? "user root root;\n" : "", home, home, home, home, home, home, http);
    }
}

package io.tarpon.bench.lab;

import io.tarpon.cluster.plan.Member;
import java.util.ArrayList;
import java.util.Map;

/// Settings of a service of the cluster, changed in the command that starts it.
public final class MemberSettings {
    private MemberSettings() {}

    /// The same service with these system properties, instead of or beside its own.
    public static Member with(Member member, Map<String, String> settings) {
        var command = new ArrayList<>(member.command());
        settings.keySet().forEach(key -> command.removeIf(argument -> argument.startsWith("-D" + key + "=")));
        int first = command.stream()
                .takeWhile(argument -> !argument.startsWith("-D"))
                .toList()
                .size();
        if (first == command.size()) {
            throw new IllegalArgumentException(member.name() + " is started without settings");
        }
        settings.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(setting -> command.add(first, "-D" + setting.getKey() + "=" + setting.getValue()));
        return new Member(member.name(), member.url(), command, member.environment(), member.form(), 0, 0);
    }

    /// A second process of the same service, under its own name, at its own port and with its own log.
    public static Member twin(Member member, String name, int port) {
        var log = member.command().stream()
                .filter(argument -> argument.startsWith("-Dquarkus.log.file.path="))
                .findFirst()
                .map(argument ->
                        argument.substring(argument.indexOf('=') + 1).replace(member.name() + ".log", name + ".log"))
                .orElseThrow(() -> new IllegalArgumentException(member.name() + " has no log"));
        var twin = with(member, Map.of("quarkus.http.port", Integer.toString(port), "quarkus.log.file.path", log));
        var url = "http://" + member.host() + ":" + port;
        return new Member(name, url, twin.command(), member.environment(), member.form(), 0, 0);
    }
}

package io.tarpon.cluster.plan;

import io.tarpon.cluster.CommandFailure;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/// The processes of one cluster, in the order they are started; kept in the state folder.
public record Roster(List<Member> members) {
    public Roster {
        members = List.copyOf(members);
    }

    public Member member(String name) {
        return members.stream()
                .filter(member -> member.name().equals(name))
                .findFirst()
                .orElseThrow(() -> CommandFailure.usage(
                        "no process is named '" + name + "'",
                        "one of: "
                                + String.join(
                                        ", ", members.stream().map(Member::name).toList())));
    }

    public String gateway() {
        return member(ClusterPlan.GATEWAY).url();
    }

    /// Every replica of metadata-svc.
    public List<URI> metadata() {
        return members.stream()
                .filter(Member::isMetadata)
                .map(member -> URI.create(member.url()))
                .toList();
    }

    public String ingest() {
        return member(ClusterPlan.INGEST).url();
    }

    /// Where the cluster's S3 server answers; empty where a folder keeps the objects.
    public Optional<String> s3() {
        return members.stream()
                .filter(member -> member.name().equals(ClusterPlan.S3))
                .map(Member::url)
                .findFirst();
    }

    public Roster with(Member changed) {
        return new Roster(members.stream()
                .map(member -> member.name().equals(changed.name()) ? changed : member)
                .toList());
    }
}

package io.tarpon.gateway.api;

import io.tarpon.gateway.GatewayMeters;
import jakarta.enterprise.inject.Instance;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.ext.Provider;

/// Counts what is answered below `/v1`.
@Provider
public class DocumentCount implements ContainerResponseFilter {
    private final Instance<GatewayMeters> meters;

    /// @param meters asked for late: filters are made before there is a configuration
    DocumentCount(Instance<GatewayMeters> meters) {
        this.meters = meters;
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        meters.get().answered("document", response.getStatus());
    }
}

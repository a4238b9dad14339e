# syntax=docker/dockerfile:1

# Builds the program, plays with it and builds it again (see dist); nothing of this stage but the binary is kept.
FROM rust:1.95-slim-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends curl python3 redis-server \
    && rustup component add llvm-tools
WORKDIR /wyrmgate
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/wyrmgate/target \
    ./dist \
    && cargo build --release --locked --package wyrmgate-mcp \
    && cp target/shipped/wyrmgate target/release/wyrmgate-mcp /usr/local/bin/ \
    && strip /usr/local/bin/wyrmgate

FROM debian:bookworm-slim
# The numeric id lets an orchestrator verify that the user is not root.
RUN useradd --system --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin wyrmgate \
    && install --directory --owner=10001 --group=10001 --mode=0700 /data
# Whom webhooks trust.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /usr/local/bin/wyrmgate /usr/local/bin/wyrmgate-mcp /usr/local/bin/
COPY rules /usr/share/wyrmgate/rules
ENV WYRMGATE_LISTEN=0.0.0.0:8080 \
    WYRMGATE_RULES=/usr/share/wyrmgate/rules \
    WYRMGATE_STORE=embedded:/data/wyrmgate.redb \
    WYRMGATE_OPEN=true
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 \
    CMD ["/usr/local/bin/wyrmgate", "health"]
ENTRYPOINT ["/usr/local/bin/wyrmgate"]
CMD ["serve"]

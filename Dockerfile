# One image for three of the four services, and one with a browser for the query-service, which prints boarding passes;
# docker-compose.yml gives each its command. Node runs the TypeScript sources as they are, so nothing is compiled here.

ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
FROM $NODE_IMAGE AS base
WORKDIR /app
# The root file system is read-only in use: what npm would set down goes to /tmp.
ENV NODE_ENV=production \
  npm_config_cache=/tmp/npm \
  npm_config_logs_max=0 \
  npm_config_update_notifier=false
# A volume that is mounted here for the first time takes over owner and mode.
RUN install -d -o node -g node -m 0700 /data /secret-key
ENV DATA_DIR=/data
# The operator's command line. npm links no program whose file is not there when it installs.
RUN ln -s /app/packages/operator/start.js /usr/local/bin/tbs

# What decides about the dependencies and nothing else, so that they are installed again only when that has changed.
# Modes are set wherever files are copied: the clone may have been made so that its owner alone can read it.
FROM base AS manifests
COPY --chmod=755 . .
RUN find . -type f ! -name package.json ! -name package-lock.json -delete

FROM base AS dependencies
COPY --from=manifests /app ./
# Without development dependencies, and so without the Node and the browser that npm brings for machines that lack them.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

# Fonts besides: the pages bring their own for Latin, Greek and Cyrillic letters, and names come in others, too.
FROM base AS with-browser
RUN apt-get update \
  && apt-get install --yes --no-install-recommends chromium fonts-noto-core fonts-noto-cjk \
  && rm -rf /var/lib/apt/lists/*

FROM with-browser AS query-service
COPY --from=dependencies /app ./
COPY --chmod=755 . .
USER node
EXPOSE 3000 3001
ENTRYPOINT ["sh", "/app/docker/service/entrypoint.sh"]
CMD ["node", "query-service/src/main.ts"]

FROM base AS service
COPY --from=dependencies /app ./
COPY --chmod=755 . .
USER node
EXPOSE 3000 3001
ENTRYPOINT ["sh", "/app/docker/service/entrypoint.sh"]
CMD ["node", "command-service/src/main.ts"]

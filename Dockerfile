# An image for the four services, one for the reader of documents, and one with a browser for the printer of boarding passes;
# docker-compose.yml gives each service its command. Node runs the TypeScript sources as they are, so nothing is compiled here.

ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
FROM $NODE_IMAGE AS base
WORKDIR /app
# The root file system is read-only in use: what npm would set down goes to /tmp.
ENV NODE_ENV=production \
  npm_config_cache=/tmp/npm \
  npm_config_logs_max=0 \
  npm_config_update_notifier=false

# What decides about the dependencies and nothing else, so that they are installed again only when that has changed.
# Modes are set wherever files are copied: the clone may have been made so that its owner alone can read it.
FROM base AS manifests
COPY --chmod=755 . .
RUN find . -type f ! -name package.json ! -name package-lock.json -delete

# Without development dependencies, and so without the Node and the browser that npm brings for machines that lack them.
FROM manifests AS dependencies
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM manifests AS reader-dependencies
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --workspace packages/document-reviewer

FROM manifests AS printer-dependencies
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --workspace packages/boarding-pass-printer

FROM base AS document-reader
COPY --from=reader-dependencies /app ./
COPY --chmod=755 domain domain
COPY --chmod=755 packages/runtime packages/runtime
COPY --chmod=755 packages/document-reviewer packages/document-reviewer
# A volume that is mounted here for the first time takes over owner and mode.
RUN install -d -o node -g node -m 0700 /run/document-reader
USER node
CMD ["node", "--disable-sigusr1", "packages/document-reviewer/src/main.ts"]

# Fonts besides: the pages bring their own for living scripts, but not every character.
FROM base AS boarding-pass-printer
RUN apt-get update \
  && apt-get install --yes --no-install-recommends chromium fonts-noto-core fonts-noto-cjk \
  && rm -rf /var/lib/apt/lists/*
COPY --from=printer-dependencies /app ./
COPY --chmod=755 domain domain
COPY --chmod=755 packages/runtime packages/runtime
COPY --chmod=755 packages/boarding-pass-printer packages/boarding-pass-printer
RUN install -d -o node -g node -m 0700 /run/boarding-pass-printer
USER node
ENV BROWSER_PATH=/usr/bin/chromium
CMD ["node", "--disable-sigusr1", "packages/boarding-pass-printer/src/main.ts"]

FROM base AS service
COPY --from=dependencies /app ./
COPY --chmod=755 . .
RUN install -d -o node -g node -m 0700 /data /secret-key
ENV DATA_DIR=/data
# The operator's command line. npm links no program whose file is not there when it installs.
RUN ln -s /app/packages/operator/start.js /usr/local/bin/tbs
USER node
EXPOSE 3000 3001
ENTRYPOINT ["sh", "/app/docker/service/entrypoint.sh"]
CMD ["node", "command-service/src/main.ts"]

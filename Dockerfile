# One image for the four services; docker-compose.yml gives each its command. Node runs the TypeScript sources as they
# are, so nothing is compiled here.

FROM node:24.21.0-bookworm-slim AS base
WORKDIR /app

# What decides about the dependencies and nothing else, so that they are installed again only when that has changed.
FROM base AS manifests
COPY . .
RUN find . -type f ! -name package.json ! -name package-lock.json -delete

FROM base AS dependencies
COPY --from=manifests /app ./
# The Node that npm brings for machines with an older one is not needed here.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/node-linux-* node_modules/.bin

FROM base
# The root file system is read-only in use: what npm would set down goes to /tmp.
ENV NODE_ENV=production \
  npm_config_cache=/tmp/npm \
  npm_config_logs_max=0 \
  npm_config_update_notifier=false
COPY --from=dependencies /app ./
COPY . .
# A volume that is mounted here for the first time takes over owner and mode.
RUN install -d -o node -g node -m 0700 /data
ENV DATA_DIR=/data
USER node
EXPOSE 3000 3001
ENTRYPOINT ["sh", "/app/docker/service/entrypoint.sh"]
CMD ["node", "command-service/src/main.ts"]

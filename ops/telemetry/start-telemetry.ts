import type { Logger } from 'pino'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { TelemetryConfig } from './config.ts'
import { createLogger } from './logger.ts'
import { type OperatorServer, type ReadinessCheck, startOperatorServer } from './operator-server.ts'
import { createSpanExporter } from './span-exporter.ts'
import { createTracer, type Tracer } from './tracer.ts'

export interface Telemetry {
  logger: Logger
  /** Null: nothing is traced. */
  tracer: Tracer | null
  /** What the process counts; null: nobody asks for it. */
  registry: Registry | null
  /** Serves metrics and probes, where that is configured. */
  serve: (served: Served) => Promise<void>
  /** The process shuts down: it is not ready any more. */
  drain: () => Promise<void>
  /** Sends the last spans. */
  close: () => Promise<void>
}

interface Served {
  checks: Record<string, ReadinessCheck>
  /** Brings the figures of the database up to date. */
  refresh?: () => Promise<void>
  /** Metrics of others, in Prometheus' text format. */
  more?: () => Promise<string>
}

/** How old the figures of the database may be. */
const FRESH_MS = 5_000

/** Logs, metrics, traces and probes of one process, as the environment has them. */
export function startTelemetry(options: {
  /** `api`, `gateway`, `worker`. */
  name: string
  logLevel: string
  config: TelemetryConfig
  /** What belongs into each line of the log that is written now. */
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

/** All metrics of a process; what cannot be read at the moment is left out, and said. */
function textOf(
  registry: Registry,
  { refresh, more }: Served,
): (notReady: readonly string[], parts: readonly string[]) => Promise<string> {
  const ready = new Gauge({
    name: 'sluice_part_ready',
    help: 'Whether what a process needs can be used, as /readyz has it.',
    labelNames: ['part'],
    registers: [registry],
  })
  const current = new Gauge({
    name: 'sluice_figures_current',
    help: 'Whether the figures of the database are those of now.',
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

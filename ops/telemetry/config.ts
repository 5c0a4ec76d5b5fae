import { type Environment, readSettings } from '../settings/read-settings.ts'

export interface TelemetryConfig {
  /**
   * Where probes and metrics are served, and the installation that they name, for the supervisor (null: nobody asks);
   * null: nowhere.
   */
  operator: { host: string; port: number; installation: string | null } | null
  /** OTLP endpoint that traces go to, with headers of its own; null: nothing is traced. */
  traces: { url: string; headers: Record<string, string> } | null
  /** How long a process that was told to end says so before it stops listening. */
  drainMs: number
}

/** The part of the environment that all processes share. Throws a SettingsError with all that is wrong. */
export function readTelemetryConfig(env: Environment): TelemetryConfig {
  const data = readSettings(env, {
    optional: [
      ...(['METRICS_PORT', 'METRICS_HOST', 'DRAIN_SECONDS', 'INSTALLATION_ID'] as const),
      ...(['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_HEADERS'] as const),
    ],
  })
  const endpoint = data.OTEL_EXPORTER_OTLP_ENDPOINT
  return {
    operator:
      data.METRICS_PORT === undefined
        ? null
        : { host: data.METRICS_HOST, port: data.METRICS_PORT, installation: data.INSTALLATION_ID ?? null },
    traces:
      endpoint === undefined
        ? null
        : { url: `${endpoint}/v1/traces`, headers: readHeaders(data.OTEL_EXPORTER_OTLP_HEADERS) },
    drainMs: 1_000 * data.DRAIN_SECONDS,
  }
}

/** `name=value,name=value`, values percent-encoded, as OpenTelemetry has it. */
function readHeaders(text = ''): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.includes('='))
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at).trim().toLowerCase(), decodeURIComponent(pair.slice(at + 1).trim())]
    }),
  )
}

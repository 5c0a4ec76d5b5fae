import { type Environment, readSettings } from '../settings/read-settings.ts'

export interface TelemetryConfig {
  /**
   * Address of probes and metrics, and the id of the installation for the supervisor (null: not sent). null:
   * they are not served.
   */
  operator: { host: string; port: number; installation: string | null } | null
  /** OTLP endpoint for traces, and its headers; null: nothing is traced. */
  traces: { url: string; headers: Record<string, string> } | null
  /** How long a stopping process reports that it is not ready before it stops listening. */
  drainMs: number
}

/** Reads the settings that all processes share. Throws a SettingsError with every problem. */
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

/** Parses `name=value,name=value` with percent-encoded values, the format of OpenTelemetry. */
function readHeaders(text = ''): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.includes('='))
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at).trim().toLowerCase(), decodeURIComponent(pair.slice(at + 1).trim())]
    }),
  )
}

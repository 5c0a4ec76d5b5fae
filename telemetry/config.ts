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

type Environment = Record<string, string | undefined>

/** The part of the environment that all processes share. Throws with the name of a variable that is wrong. */
export function readTelemetryConfig(env: Environment): TelemetryConfig {
  const port = wholeNumber(env, 'METRICS_PORT', 65_535)
  const endpoint = env['OTEL_EXPORTER_OTLP_ENDPOINT']
  return {
    operator:
      port === null
        ? null
        : { host: env['METRICS_HOST'] || '127.0.0.1', port, installation: env['INSTALLATION_ID'] || null },
    traces: endpoint
      ? { url: tracesUrl(endpoint), headers: readHeaders(env['OTEL_EXPORTER_OTLP_HEADERS']) }
      : null,
    drainMs: 1_000 * (wholeNumber(env, 'DRAIN_SECONDS', 600) ?? 0),
  }
}

function wholeNumber(env: Environment, name: string, max: number): number | null {
  const text = env[name]
  if (!text) return null
  if (!/^\d{1,5}$/.test(text) || Number(text) > max) throw new Error(`Set these variables: ${name}`)
  return Number(text)
}

function tracesUrl(endpoint: string): string {
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    throw new Error('Set these variables: OTEL_EXPORTER_OTLP_ENDPOINT')
  return `${endpoint.replace(/\/+$/, '')}/v1/traces`
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

const faultKinds = ['rate_limit', 'error', 'slow', 'malformed', 'lie', 'truncate', 'history_limit'] as const
const lies = ['jump', 'stale', 'negative', 'nan'] as const

export type Fault = {
  /** First segment of the upstream's base path, as in sandbox/<area>/mounts.ts. */
  source: string
  kind: (typeof faultKinds)[number]
  /** Only for the kind `lie`. */
  lie?: (typeof lies)[number]
  /** Only requests whose path and query contain this text. */
  match?: string
  /** Number of requests it affects. */
  count: number
  /** Delay of a `slow` answer. */
  delayMs?: number
}

export type Faults = ReturnType<typeof createFaults>

/** Describes why a request body is not a valid fault. null: it is valid */
export function faultProblem(value: unknown): string | null {
  const fault = value as Partial<Fault> | null
  if (typeof fault?.source !== 'string') return 'source must be a string'
  if (!faultKinds.includes(fault.kind as Fault['kind'])) return `kind must be one of ${faultKinds.join(', ')}`
  if (fault.kind === 'lie' && !lies.includes(fault.lie as (typeof lies)[number]))
    return `lie must be one of ${lies.join(', ')}`
  return Number.isInteger(fault.count) && fault.count! > 0 ? null : 'count must be a positive integer'
}

/** Pending faults. Each request takes at most one. */
export function createFaults() {
  let waiting: Fault[] = []
  return {
    list: (): Fault[] => waiting,
    add: (fault: Fault): void => void waiting.push({ ...fault }),
    clear: (): void => void (waiting = []),
    take(source: string, url: string): Fault | null {
      const fault = waiting.find(
        (f) => f.source === source && (f.match === undefined || url.includes(f.match)),
      )
      if (!fault) return null
      fault.count -= 1
      if (fault.count === 0) waiting = waiting.filter((f) => f !== fault)
      return fault
    },
  }
}

const priceKeys =
  /^(price|current_price|usd|eur|btc|eth|rate|value|[A-Z]{3}|market_cap_usd|volume_24h_usd|bitcoin_dominance_percentage)$/
const timeKeys = /^(last_updated|last_updated_at|timestamp|updated_at|date)$/
const staleSeconds = 3 * 86_400

function lieAbout(value: unknown, kind: NonNullable<Fault['lie']>): unknown {
  if (typeof value !== 'number') return value
  return { jump: value * 40, negative: -value, nan: 'NaN', stale: value }[kind]
}

function earlier(value: unknown): unknown {
  if (typeof value === 'number') return value - (value > 1e11 ? staleSeconds * 1000 : staleSeconds)
  return typeof value === 'string' ? new Date(Date.parse(value) - staleSeconds * 1000).toISOString() : value
}

/** Copies a reply with wrong prices, or with old times for `stale`. */
export function lying(body: unknown, kind: NonNullable<Fault['lie']>): unknown {
  if (Array.isArray(body)) {
    const isPoint = body.length === 2 && typeof body[0] === 'number' && typeof body[1] === 'number'
    if (!isPoint) return body.map((item) => lying(item, kind))
    return kind === 'stale' ? [earlier(body[0]), body[1]] : [body[0], lieAbout(body[1], kind)]
  }
  if (typeof body !== 'object' || body === null) return body
  const entries = Object.entries(body).map(([key, value]) => {
    if (kind === 'stale' && timeKeys.test(key)) return [key, earlier(value)]
    if (kind !== 'stale' && priceKeys.test(key) && typeof value === 'number')
      return [key, lieAbout(value, kind)]
    return [key, lying(value, kind)]
  })
  return Object.fromEntries(entries)
}

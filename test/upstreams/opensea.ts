import { createHash } from 'node:crypto'
import type { Upstream } from '../../sandbox/upstream.ts'
import { startDouble } from './double.ts'
import type { Asked, DoubleServer, FakeClock, Reply } from './double.ts'
import { createMeter } from './meter.ts'
import { answerFrom } from './served-upstream.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** docs.opensea.io/reference/api-keys, 2026-09-24: of an instant key */
export const READS = { name: 'read', most: 600, span: HOUR_MS } as const
/** The same page: some groups are metered more tightly. How much is not said. */
const STATS = { name: 'stats', most: 300, span: HOUR_MS } as const
/** api-evangelist/opensea: keys of an address in an hour */
const KEYS = { name: 'keys', most: 2, span: HOUR_MS } as const
const KEY_LIFE_MS = 7 * DAY_MS

export interface OpenSeaDouble extends DoubleServer {
  apiUrl: string
  /** keys by the time they end */
  keys: Map<string, number>
  refused: number[]
}

/** opensea-sdk#139, discussion 1661 */
const THROTTLED = '{"detail":"Request was throttled."}'

/** Rows 41 and 42: OpenSea with instant keys. `upstream` answers what is not refused. */
export async function startOpenSea(options: {
  clock: FakeClock
  upstream: Upstream
}): Promise<OpenSeaDouble> {
  const { clock, upstream } = options
  const answer = answerFrom(upstream, clock)
  const keys = new Map<string, number>()
  const refused: number[] = []
  let given = 0
  const [reads, stats, made] = [
    createMeter(clock, [READS]),
    createMeter(clock, [STATS]),
    createMeter(clock, [KEYS]),
  ]

  function refuse(row: number, reply: Reply): Reply {
    refused.push(row)
    return reply
  }

  function throttled(row: number, resetsInMs: number): Reply {
    const at = Math.ceil((clock.now() + resetsInMs) / 1_000)
    return refuse(row, {
      status: 429,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(at) },
      body: THROTTLED,
    })
  }

  function makeKey({ address }: Asked): Reply {
    if (made.take(address)) return throttled(42, made.resetsIn(address, KEYS.span))
    const key = createHash('sha256').update(`key ${++given}`).digest('hex').slice(0, 32)
    const endsAt = clock.now() + KEY_LIFE_MS
    keys.set(key, endsAt)
    return {
      body: {
        api_key: key,
        name: 'instant',
        expires_at: new Date(endsAt).toISOString(),
        rate_limits: { read: '600/h', write: '30/h', fulfillment: '5/m' },
        upgrade_url: 'https://opensea.io/settings/developer',
      },
    }
  }

  const server = await startDouble(async (asked) => {
    const path = asked.path.replace('/api/v2', '')
    if (path === '/auth/keys' && asked.method === 'POST') return makeKey(asked)
    const key = String(asked.headers['x-api-key'] ?? '')
    if (clock.now() >= (keys.get(key) ?? 0))
      return refuse(41, { status: 401, body: '{"errors":["Invalid API key"]}' })
    if (reads.broken(key)) return throttled(41, reads.resetsIn(key, READS.span))
    if (path.endsWith('/stats') && stats.broken(key)) return throttled(41, stats.resetsIn(key, STATS.span))
    reads.count(key)
    if (path.endsWith('/stats')) stats.count(key)
    return answer({ ...asked, path })
  })
  return { ...server, apiUrl: `${server.url}/api/v2`, keys, refused }
}

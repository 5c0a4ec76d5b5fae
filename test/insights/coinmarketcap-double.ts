import type { Asked, FakeClock, Reply } from '../upstreams/double.ts'
import { type RuledDouble, startRuled } from '../upstreams/prices/ruled.ts'

export const CMC_KEY = 'a-free-cmc-key'

export interface CoinMarketCapDouble extends RuledDouble {
  state: {
    /** The error of every answer; null: none. */
    code: number | null
    /** The error comes with status 200. */
    isSilent: boolean
  }
}

/** coinmarketcap.com/api/resources/how-to-handle-coinmarketcap-api-errors-and-rate-limit--responses */
const STATUSES: Record<number, number> = {
  1001: 401,
  1002: 401,
  1003: 402,
  1004: 402,
  1005: 403,
  1006: 403,
  1007: 403,
  1008: 429,
  1009: 429,
  1010: 429,
  1011: 429,
}

/** Row 14: CoinMarketCap on its free plan. */
export async function startCoinMarketCap({ clock }: { clock: FakeClock }): Promise<CoinMarketCapDouble> {
  const state: CoinMarketCapDouble['state'] = { code: null, isSilent: false }
  const statusOf = (code: number | string, message: string | null) => ({
    timestamp: new Date(clock.now()).toISOString(),
    error_code: code,
    error_message: message,
    elapsed: 10,
    credit_count: 1,
  })
  const refusal = (code: number): Reply => ({
    status: state.isSilent ? 200 : STATUSES[code]!,
    body: { status: statusOf(code, "You've exceeded your API Key's rate limit.") },
  })
  const answer = ({ query }: Asked): Reply => {
    const limit = Math.min(500, Number(query.get('limit') ?? 50))
    const today = Math.floor(clock.now() / 86_400_000) * 86_400
    const data = Array.from({ length: limit }, (_, n) => ({
      timestamp: String(today - (Number(query.get('start') ?? 1) - 1 + n) * 86_400),
      value: 40 + (n % 7),
      value_classification: 'Fear',
    }))
    // The newer endpoints have a text here.
    return { body: { data, status: statusOf('0', '') } }
  }
  const server = await startRuled(
    [
      { row: 14, refuse: ({ headers }) => (headers['x-cmc_pro_api_key'] === CMC_KEY ? null : refusal(1002)) },
      { row: 14, refuse: () => (state.code === null ? null : refusal(state.code)) },
    ],
    answer,
  )
  return { ...server, state }
}

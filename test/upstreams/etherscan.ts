import { startDouble } from './double.ts'
import type { Asked, DoubleServer, FakeClock, Reply } from './double.ts'
import { createMeter } from './meter.ts'
import { answerDialect, notOk, numberIn } from './etherscan-dialect.ts'
import type { ExplorerRule } from './etherscan-dialect.ts'
import type { MemoryChain } from './nodes/chain.ts'

/** docs.etherscan.io/supported-chains; 100 is announced as paid from 2026-09-01 (public notes, 2026-08-26). */
const PAID_CHAINS = new Set(['56', '8453', '10', '43114', '100'])
/** docs.etherscan.io/changelog: rows of one request on the free plan since 2026-07-01. */
const PAGE_ROWS = 1_000
/** corpetty/py-etherscan-api#88, zenmoney/ZenPlugins#1071: page x offset. */
const WINDOW_ROWS = 10_000

export interface EtherscanState {
  /** A range of more blocks than this takes 30 s and then fails. */
  widestRange: number
}

export interface EtherscanDouble extends DoubleServer {
  apiUrl: string
  state: EtherscanState
  /** rows of the rules that refused something, in order */
  refused: number[]
}

export const ETHERSCAN_KEY = 'a-free-key'

/** Rows 23 to 27: Etherscan v2 on the free plan. `chains` are those that it knows. */
export async function startEtherscan(options: {
  clock: FakeClock
  chains: readonly MemoryChain[]
  /** calls of a day */
  dayCalls?: number
}): Promise<EtherscanDouble> {
  const { clock, dayCalls = 100_000 } = options
  const chains = new Map(options.chains.map((chain) => [String(chain.chainId), chain]))
  const state: EtherscanState = { widestRange: Infinity }
  const refused: number[] = []
  const rules = rulesOf({ clock, state, dayCalls })

  function answer(asked: Asked): Reply {
    if (asked.path !== '/v2/api') return { status: 404, body: 'Not Found' }
    for (const { row, refuse } of rules) {
      const refusal = refuse(asked)
      if (!refusal) continue
      refused.push(row)
      return refusal
    }
    const chain = chains.get(asked.query.get('chainid') ?? '')
    // docs: only the first words are documented.
    return chain ? answerDialect(chain, asked, PAGE_ROWS) : notOk('Missing or unsupported chainid parameter')
  }

  const server = await startDouble(answer)
  return { ...server, apiUrl: `${server.url}/v2/api`, state, refused }
}

/** In the order in which the service decides. */
function rulesOf(options: { clock: FakeClock; state: EtherscanState; dayCalls: number }): ExplorerRule[] {
  const { clock, state, dayCalls } = options
  // docs.etherscan.io/resources/rate-limits; a day's allowance is that of all keys of the account.
  const second = createMeter(clock, [{ name: 'second', most: 3, span: 1_000 }])
  const day = createMeter(clock, [{ name: 'day', most: dayCalls, span: 'day' }])
  const badKeys = createMeter(clock, [{ name: 'bad', most: 5, span: 30_000 }])
  let blockedUntil = 0
  return [
    {
      // docs; 10 public texts, whose tails differ. Modules other than account, proxy and stats pass.
      row: 23,
      refuse: ({ query }) =>
        PAID_CHAINS.has(query.get('chainid') ?? '') &&
        ['account', 'proxy', 'stats'].includes(query.get('module') ?? '')
          ? notOk(
              'Free API access is not supported for this chain. Please upgrade your api plan for full chain coverage. https://etherscan.io/apis',
            )
          : null,
    },
    {
      // docs: common-error-messages; "Missing/Invalid API Key" in public notes of 2026-08-26.
      row: 24,
      refuse({ query, address }) {
        const tooMany = notOk('Too many invalid api key attempts, please try again later')
        if (clock.now() < blockedUntil) return tooMany
        if (query.get('apikey') === ETHERSCAN_KEY) return null
        if (query.has('apikey') && badKeys.take(address)) {
          blockedUntil = clock.now() + 30_000
          return tooMany
        }
        return notOk('Missing/Invalid API Key')
      },
    },
    {
      // 10 public texts each.
      row: 24,
      refuse() {
        if (second.broken('account')) return notOk('Max calls per sec rate limit reached (3/sec)')
        if (day.broken('account'))
          return notOk('Max rate limit reached, please use API Key for higher rate limit')
        second.count('account')
        day.count('account')
        return null
      },
    },
    {
      // ZenPlugins#1071. Whether an offset over 1,000 is cut or refused is not known: refused is stricter.
      row: 25,
      refuse: (asked) =>
        numberIn(asked, 'offset', PAGE_ROWS) > PAGE_ROWS ||
        numberIn(asked, 'page', 1) * numberIn(asked, 'offset', PAGE_ROWS) > WINDOW_ROWS
          ? {
              body: '{"status":"0","message":"Result window is too large, PageNo x Offset size must be less than or equal to 10000","result":null}',
            }
          : null,
    },
    {
      // docs: changelog; the text is not confirmed.
      row: 26,
      refuse: ({ query }) =>
        query.get('action') === 'txlistinternal' && !query.has('address') && !query.has('txhash')
          ? notOk(
              'Sorry, it looks like you are trying to access an API Pro endpoint. Contact us to upgrade to API Pro.',
            )
          : null,
    },
    {
      // pcko1/etherscan-python#31, VaitaR/aiochainscan v1.0.7
      row: 26,
      refuse(asked) {
        const blocks = numberIn(asked, 'endblock', Infinity) - numberIn(asked, 'startblock', 0) + 1
        if (blocks <= state.widestRange) return null
        clock.advance(30_000)
        return {
          body: '{"status":"0","message":"Query Timeout occured. Please select a smaller result dataset","result":null}',
        }
      },
    },
  ]
}

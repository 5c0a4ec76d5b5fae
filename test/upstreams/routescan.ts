import { startDouble } from './double.ts'
import type { Asked, DoubleServer, FakeClock, Reply } from './double.ts'
import { createMeter } from './meter.ts'
import { answerDialect, numberIn } from './etherscan-dialect.ts'
import type { ExplorerRule } from './etherscan-dialect.ts'
import type { MemoryChain } from './nodes/chain.ts'

/** VaitaR/aiochainscan v1.0.7; 8453 and 56 are refused (public notes, 2026-08-26). */
const CHAINS = new Set(['1', '43114', '9745'])
/** Public notes, 2026-08-26: 500 rows work, 1,000 timed out. */
const LARGEST_PAGE = 500
const DEFAULT_PAGE = 100

export interface RoutescanDouble extends DoubleServer {
  /** base of all chains */
  networkUrl: string
  /** rows of the rules that refused something, in order */
  refused: number[]
}

const PATH = /^\/v2\/network\/mainnet\/evm\/(\d+)\/etherscan\/api$/

/** Row 31: Routescan without a key. */
export async function startRoutescan(options: {
  clock: FakeClock
  chains: readonly MemoryChain[]
}): Promise<RoutescanDouble> {
  const chains = new Map(options.chains.map((chain) => [String(chain.chainId), chain]))
  const refused: number[] = []
  const rules = rulesOf(options.clock)

  function answer(asked: Asked): Reply {
    const chainId = PATH.exec(asked.path)?.[1]
    if (chainId === undefined) return { status: 404, body: 'Not Found' }
    for (const { row, refuse } of rules) {
      const refusal = refuse(asked)
      if (!refusal) continue
      refused.push(row)
      return refusal
    }
    return answerDialect(chains.get(chainId)!, asked, DEFAULT_PAGE)
  }

  const server = await startDouble(answer)
  return { ...server, networkUrl: `${server.url}/v2/network/mainnet/evm`, refused }
}

function rulesOf(clock: FakeClock): ExplorerRule[] {
  const meter = createMeter(clock, [
    // api-evangelist/snowtrace: 2 a second and 10,000 a day by address.
    { name: 'second', most: 2, span: 1_000 },
    { name: 'day', most: 10_000, span: 'day' },
  ])
  return [
    {
      // The body of its 429 is not known.
      row: 31,
      refuse: ({ address }) =>
        meter.take(address) ? { status: 429, body: { status: '0', message: 'Too Many Requests' } } : null,
    },
    {
      row: 31,
      refuse: ({ path }) =>
        CHAINS.has(PATH.exec(path)![1]!) ? null : { body: '{"status":"0","message":"chain not supported"}' },
    },
    {
      row: 31,
      refuse: (asked) =>
        numberIn(asked, 'offset', DEFAULT_PAGE) > LARGEST_PAGE
          ? {
              body: '{"status":"0","message":"Timeout reached, please use a narrower block range"}',
            }
          : null,
    },
  ]
}

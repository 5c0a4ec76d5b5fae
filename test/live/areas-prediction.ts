import type { FakeClock } from '../upstreams/double.ts'
import { startKalshi } from '../upstreams/kalshi.ts'
import { createKalshiMarket } from '../upstreams/kalshi-market.ts'
import { startPolymarketClob } from '../upstreams/polymarket-clob.ts'
import { startPolymarketData } from '../upstreams/polymarket-data.ts'
import { startPolymarketGamma } from '../upstreams/polymarket-gamma.ts'
import { createPolymarketMarket } from '../upstreams/polymarket-market.ts'

const MARKETS = 20
const [FIRST_ROWS, FIRST_TRADES] = [600, 250]
/** Markets of a venue that are traded in five minutes. */
const BUSY = 3

/** Both venues, with markets that go on trading. */
export async function startPredictionDay({ clock }: { clock: FakeClock }) {
  const nowS = () => Math.floor(clock.now() / 1_000)
  const numbers = Array.from({ length: MARKETS }, (_, i) => i + 1)
  const markets = numbers.map((number) =>
    createPolymarketMarket({ number, rows: FIRST_ROWS, newestAt: nowS() - number * 60 }),
  )
  const others = numbers.map((number) =>
    createKalshiMarket({ number, trades: FIRST_TRADES, newestAt: nowS() - number * 60 }),
  )
  let round = 0

  /** New fills and trades, newest first as all others, under ids of their own. */
  function trade(): void {
    round++
    for (let i = 0; i < BUSY; i++) {
      const index = (round * BUSY + i) % MARKETS
      const number = (round + 1) * 1_000 + index
      const { fills } = createPolymarketMarket({ number, rows: 6, newestAt: nowS() - 30 })
      markets[index]!.fills.unshift(...fills)
      const { trades } = createKalshiMarket({ number, trades: 3, newestAt: nowS() - 30 })
      others[index]!.trades.unshift(...trades)
    }
  }

  return {
    doubles: {
      'polymarket-gamma': await startPolymarketGamma({ clock, markets }),
      'polymarket-data': await startPolymarketData({ clock, markets }),
      'polymarket-clob': await startPolymarketClob({ clock, markets }),
      kalshi: await startKalshi({ clock, markets: others }),
    },
    trade,
  }
}

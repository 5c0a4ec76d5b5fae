import { createRandom } from '../chain/random.ts'
import type { SandboxMarket } from './prediction-world.ts'
import { hashOf, type SandboxTrader } from './traders.ts'

/** One row of the feed: a trade has one row for its taker and one for each maker. */
export interface SandboxFill {
  at: number
  txHash: string
  trader: SandboxTrader
  taker: boolean
  side: 'BUY' | 'SELL'
  /** Position of the outcome. */
  outcome: number
  price: number
  size: number
}

/**
 * Trades of a market from its start to its end, oldest first. Buyers of one outcome meet sellers of it or
 * buyers of the other. Most sellers hold what they sell; some have split dollars into full sets.
 */
export function fillMarket({
  market,
  key,
  traders,
}: {
  market: SandboxMarket
  key: number
  traders: SandboxTrader[]
}): SandboxFill[] {
  const random = createRandom(key)
  const trades = Math.floor(random.size(8, 160))
  const span = market.endsAt - market.startsAt
  const held = new Map<string, number>()
  const fills: SandboxFill[] = []
  // A few traders are very busy.
  const anyone = (): SandboxTrader => traders[Math.floor(traders.length * random.next() ** 2.2)]!
  const keyOf = (trader: SandboxTrader, outcome: number): string => `${trader.proxyWallet} ${outcome}`
  const move = (trader: SandboxTrader, outcome: number, by: number): void => {
    held.set(keyOf(trader, outcome), (held.get(keyOf(trader, outcome)) ?? 0) + by)
  }
  const holder = (outcome: number, size: number): SandboxTrader | undefined => {
    for (let i = 0; i < 6; i++) {
      const trader = anyone()
      if ((held.get(keyOf(trader, outcome)) ?? 0) >= size) return trader
    }
    return undefined
  }

  for (let i = 0; i < trades; i++) {
    const at = Math.floor(market.startsAt + span * ((i + random.next()) / trades))
    const outcome = random.chance(0.6) ? 0 : 1
    const first = market.price(at)
    const price = Number((outcome === 0 ? first : 1 - first).toFixed(4))
    const size = random.chance(0.3)
      ? Math.floor(random.size(5, 2_000))
      : Number(random.size(5, 4_000).toFixed(2))
    const txHash = hashOf(`${market.key} ${key} ${i}`)
    const base = { at, txHash }
    const seller = random.chance(0.4)
      ? (holder(outcome, size) ?? (random.chance(0.1) ? anyone() : undefined))
      : undefined
    const buyer = anyone()
    const takerBuys = seller === undefined || random.chance(0.5)
    fills.push({ ...base, trader: buyer, taker: takerBuys, side: 'BUY', outcome, price, size })
    move(buyer, outcome, size)
    if (seller) {
      // A maker with two equal orders has two identical rows.
      const parts = takerBuys && i % 11 === 0 && size % 2 === 0 ? [size / 2, size / 2] : [size]
      for (const part of parts)
        fills.push({ ...base, trader: seller, taker: !takerBuys, side: 'SELL', outcome, price, size: part })
      move(seller, outcome, -size)
    } else {
      const other = anyone()
      fills.push({
        ...base,
        trader: other,
        taker: false,
        side: 'BUY',
        outcome: 1 - outcome,
        price: Number((1 - price).toFixed(4)),
        size,
      })
      move(other, 1 - outcome, size)
    }
  }
  return fills
}

import { createHash } from 'node:crypto'

// Markets of Polymarket as its three services know them.

export interface PolymarketFill {
  wallet: string
  isTaker: boolean
  side: 'BUY' | 'SELL'
  outcome: 0 | 1
  size: number
  price: number
  /** seconds */
  at: number
  hash: string
}

export interface PolymarketMarket {
  id: string
  conditionId: string
  question: string
  version: string
  /** by outcome */
  tokens: [string, string]
  startsAt: number
  state: 'open' | 'resolved' | 'even'
  /** newest first */
  fills: PolymarketFill[]
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex')
const tokenOf = (text: string) => BigInt(`0x${digest(text)}`).toString()

/**
 * A market with that many rows of fills. Each trade has a row of its taker and two of its maker, which are equal in
 * all fields; several trades fall into one second, so that pages end inside of seconds.
 */
export function createPolymarketMarket(options: {
  number: number
  rows: number
  /** seconds, of the newest trade */
  newestAt: number
  tradesPerSecond?: number
  version?: string
  state?: PolymarketMarket['state']
}): PolymarketMarket {
  const { number, rows, newestAt, tradesPerSecond = 4, version = 'v1', state = 'open' } = options
  const fills = Array.from({ length: rows }, (_, row): PolymarketFill => {
    const trade = Math.floor(row / 3)
    const isTaker = row % 3 === 0
    const hash = `0x${digest(`${number} trade ${trade}`)}`
    return {
      wallet: `0x${digest(`${number} ${isTaker ? 'taker' : 'maker'} ${trade % 17}`).slice(0, 40)}`,
      isTaker,
      side: isTaker ? 'BUY' : 'SELL',
      outcome: trade % 5 === 0 ? 1 : 0,
      size: isTaker ? 12.5 : 6.25,
      price: 0.4 + (trade % 20) / 100,
      at: newestAt - Math.floor(trade / tradesPerSecond),
      hash,
    }
  })
  return {
    id: String(600_000 + number),
    conditionId: `0x${digest(`condition ${number}`)}`,
    question: `Will question ${number} end with yes?`,
    version,
    tokens: [tokenOf(`${number} yes`), tokenOf(`${number} no`)],
    startsAt: (fills.at(-1)?.at ?? newestAt) - 86_400,
    state,
    fills,
  }
}

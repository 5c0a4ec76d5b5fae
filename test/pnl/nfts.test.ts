import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Leg, worthOf } from '../../db/pnl/legs/leg.ts'
import { foldLots, totalProfit } from '../../db/pnl/lots/fold-lots.ts'
import { COST_METHODS } from '../../db/pnl/lots/lot-pool.ts'
import { periodProfit } from '../../db/pnl/periods/period-profit.ts'
import { createPriceBook } from '../../db/pnl/valuation/price-book.ts'
import { isNftCoin, nftCoinId } from '../../db/values/coins.ts'
import {
  absolute,
  compare,
  decimal,
  type Decimal,
  formatDecimal,
  sign,
  subtract,
  sum,
} from '../../db/values/decimal.ts'
import { cutPoints, DAY_MS } from '../../db/values/periods.ts'
import { runs } from '../setup/runs.ts'
import { insertOpenings } from './engine/insert-openings.ts'
import { ledgerOf } from './engine/ledger.ts'
import { scopePeriods } from './engine/scope-periods.ts'
import { scopePostings } from './engine/scope-postings.ts'
import { runScenario, type Scenario, type ScenarioLeg } from './scenario.ts'

const nft = (tokenId: bigint) =>
  nftCoinId({ contract: `0x${'7'.repeat(40)}`, tokenId, blockchain: 'ethereum' })
const [ONE, TWO, CARD] = [nft(1n), nft(2n), nft(2n ** 256n - 1n)]
const prices = { USDC: { '2023-01-01': '1' }, ETH: { '2023-01-01': '2000' } }

/** Profit and flow of each day. A holds 5,000 USDC and an ETH from the day before on. */
function days(...transactions: ScenarioLeg[][]): string[] {
  const funds: ScenarioLeg[] = [
    ['transfer', 'A', 'USDC', '5000'],
    ['transfer', 'A', 'ETH', '1'],
  ]
  const dated = transactions.map((legs, day) => [`2024-01-0${day + 1}T10:00Z`, legs])
  const scenario: Scenario = {
    prices,
    transactions: { '2023-12-31': funds, ...Object.fromEntries(dated) },
    to: `2024-01-0${transactions.length + 1}`,
  }
  return runScenario(scenario).days.map((day) => day.replace(/ \S+% /, ' '))
}
const trade = (...legs: [coinId: string, quantity: number][]): ScenarioLeg[] =>
  legs.map(([coinId, quantity]) => ['trade', 'A', coinId, String(quantity)])
const transfer = (coinId: string, quantity: number): ScenarioLeg[] => [
  ['transfer', 'A', coinId, String(quantity)],
]

test('28: an NFT bought for 2,000 and sold for 3,300 makes 1,300 in the period of the sale', () => {
  const [bought, sold] = [trade(['USDC', -2_000], [ONE, 1]), trade([ONE, -1], ['USDC', 3_300])]
  expect(days(bought, [], sold)).toEqual(['0 0', '0 0', '1300 0'])
})

test('several NFTs of one payment share its cost by the number of copies', () => {
  const bought = trade(['USDC', -2_000], [CARD, 3], [ONE, 1])
  expect(days(bought, trade([ONE, -1], ['USDC', 600]), trade([CARD, -2], ['ETH', 1]))).toEqual([
    '0 0',
    '100 0',
    '1000 0',
  ])
})

test('the gas of a purchase is a loss of its day, and so is that of a mint for gas alone', () => {
  const gas: ScenarioLeg = ['fee', 'A', 'ETH', '-0.01']
  const minted: ScenarioLeg[] = [['airdrop', 'A', ONE, '1'], gas]
  expect(days([...trade(['ETH', -0.5], [ONE, 1]), gas])).toEqual(['-20 0'])
  expect(days(minted, trade([ONE, -1], ['USDC', 300]))).toEqual(['-20 0', '300 0'])
})

test('an NFT that came without a payment is worth nothing until its sale, which is no profit', () => {
  expect(days(transfer(ONE, 1), trade([ONE, -1], ['USDC', 300]))).toEqual(['0 0', '0 300'])
})

test('an NFT that leaves takes its cost out', () => {
  expect(days(trade(['USDC', -2_000], [ONE, 1]), transfer(ONE, -1))).toEqual(['0 0', '0 -2000'])
})

test('between two wallets of a scope it takes its cost out, and its sale there invents no profit', () => {
  const moved: ScenarioLeg[] = [...transfer(ONE, -1), ['transfer', 'B', ONE, '1']]
  const sold = trade([ONE, -1], ['USDC', 3_300]).map(([role, , ...rest]): ScenarioLeg => [role, 'B', ...rest])
  expect(days(trade(['USDC', -2_000], [ONE, 1]), moved, sold)).toEqual(['0 0', '0 -2000', '0 3300'])
})

test('NFTs for an NFT carry their cost to it', () => {
  const bought = trade(['USDC', -300], [ONE, 1], [CARD, 2])
  const swapped = trade([ONE, -1], [CARD, -1], [TWO, 1])
  expect(days(bought, swapped, trade([TWO, -1], ['USDC', 500]))).toEqual(['0 0', '0 0', '300 0'])
  const mixed = trade([ONE, -1], ['USDC', -50], [TWO, 1])
  expect(days(bought, mixed, trade([TWO, -1], ['USDC', 500]))).toEqual(['0 0', '0 0', '350 0'])
})

test('an NFT paid in a coin without a price has the cost of that, and gives its own to what it is sold for', () => {
  const found = days(
    trade(['USDC', -300], ['POOL', 300]),
    trade(['POOL', -200], [ONE, 1]),
    trade([ONE, -1], ['POOL', 250]),
    trade(['POOL', -350], ['USDC', 350]),
  )
  expect(found).toEqual(['0 0', '0 0', '0 0', '50 0'])
})

test('an NFT for one of unknown cost takes its cost out, and brings none', () => {
  const given = trade(['USDC', -300], [ONE, 1])
  const swapped = trade([ONE, -1], [CARD, -1], [TWO, 1])
  expect(days([...given, ...transfer(CARD, 1)], swapped, trade([TWO, -1], ['USDC', 500]))).toEqual([
    '0 0',
    '0 -300',
    '0 500',
  ])
})

const market = createPriceBook([
  { coinId: 'USDC', atMs: 0, usd: decimal('1') },
  { coinId: 'ETH', atMs: 0, usd: decimal('2000') },
])
const NFTS = [ONE, TWO, CARD, nft(3n)]
const START_MS = Date.parse('2024-01-01')
const DAYS = 10
const copies = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...NFTS), fc.integer({ min: 1, max: 3 })), {
    selector: ([coinId]) => coinId,
    minLength: 1,
    maxLength: 3,
  })
  .map((all) => all.map(([coinId, count]) => ({ coinId, count })))
const event = fc.record({
  kind: fc.constantFrom('buy', 'sell', 'receive', 'send', 'mint', 'swap'),
  minute: fc.integer({ min: 0, max: DAYS * 1_440 - 1 }),
  copies,
  others: copies,
  coinId: fc.constantFrom('USDC', 'ETH'),
  /** in thousandths */
  amount: fc.integer({ min: 1, max: 100_000 }),
  hasFee: fc.boolean(),
})
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never

const isWallet = () => true

/** The legs of a wallet that gives what it holds. */
function walletLegs(events: readonly Event[]): Leg[] {
  const held = new Map<string, number>()
  const funds = ['USDC', 'ETH'].map((coinId, seq): Leg => {
    const key = { account: 'A', txId: '0', seq, atMs: 0 }
    return { ...key, role: 'transfer', coinId, quantity: decimal('1e6'), priceUsd: market.at(coinId, 0) }
  })
  const inOrder = events.toSorted((one, other) => one.minute - other.minute)
  const moved = inOrder.flatMap((one, index) => {
    const given = ['sell', 'send', 'swap'].includes(one.kind)
    const copies = given
      ? one.copies.flatMap(({ coinId, count }) => {
          const most = Math.min(count, held.get(coinId) ?? 0)
          return most > 0 ? [{ coinId, count: most }] : []
        })
      : one.copies
    const legs = copies.length > 0 ? legsOf({ ...one, copies }, START_MS + one.minute * 60_000 + index) : []
    for (const { coinId, quantity } of legs)
      if (isNftCoin(coinId)) held.set(coinId, (held.get(coinId) ?? 0) + Number(formatDecimal(quantity)))
    return legs
  })
  return [...funds, ...moved]
}

function legsOf({ kind, copies: moved, others, ...item }: Event, atMs: number): Leg[] {
  let seq = 0
  const leg = (role: Leg['role'], coinId: string, quantity: string): Leg => {
    const priceUsd = market.at(coinId, atMs)
    const isUnpriced = priceUsd === null
    const key = { account: 'A', txId: String(atMs), seq: seq++, atMs }
    return { ...key, role, coinId, quantity: decimal(quantity), priceUsd, isUnpriced }
  }
  const nfts = (role: Leg['role'], of: typeof moved, sense: number) =>
    of.map(({ coinId, count }) => leg(role, coinId, String(sense * count)))
  const paid = (sense: number) => leg('trade', item.coinId, `${sense * item.amount}e-3`)
  const fee = item.hasFee ? [leg('fee', 'ETH', '-1e-3')] : []
  switch (kind) {
    case 'buy':
      return [...fee, paid(-1), ...nfts('trade', moved, 1)]
    case 'sell':
      return [...fee, paid(1), ...nfts('trade', moved, -1)]
    case 'swap': {
      const given = new Set(moved.map(({ coinId }) => coinId))
      const received = others.filter(({ coinId }) => !given.has(coinId))
      if (received.length === 0) return fee
      return [...fee, ...nfts('trade', moved, -1), ...nfts('trade', received, 1)]
    }
    case 'mint':
      return [...fee, ...nfts('airdrop', moved, 1)]
    default:
      return [...fee, ...nfts('transfer', moved, kind === 'receive' ? 1 : -1)]
  }
}

const TOLERANCE = decimal('1e-20')
const expectClose = (one: Decimal, other: Decimal): void =>
  expect(
    compare(absolute(subtract(one, other)), TOLERANCE),
    `${formatDecimal(one)} for ${formatDecimal(other)}`,
  ).toBeLessThan(0)

test('cost is conserved: what was paid is what was sold, left or is held, by every cost method', () => {
  let sales = 0
  const history = fc.array(event, { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(history, fc.constantFrom(...COST_METHODS), (events, method) => {
      const legs = insertOpenings(walletLegs(events), isWallet)
      const ledger = ledgerOf({ legs, matches: [], accounts: new Set(['A']), isWallet })
      const periods = scopePeriods({
        ledger,
        prices: market,
        fromMs: START_MS,
        cutsMs: cutPoints({ interval: 'daily', fromMs: START_MS, toMs: START_MS + DAYS * DAY_MS }),
      })
      const rules = { isStable: (coinId: string) => coinId === 'USDC', trust: () => 0 }
      const entries = scopePostings({ ledger, prices: market, rules, isWallet })
      const coins = foldLots({
        entries,
        method,
        onDisposal({ coinId, reason }) {
          if (isNftCoin(coinId) && reason === 'trade') sales++
        },
      })
      // Both sides of a swap have one value, unless NFTs of unknown cost went for others.
      const trades = legs.filter(({ role }) => role === 'trade')
      for (const swap of Map.groupBy(trades, ({ txId }) => txId).values())
        if (swap.every(({ priceUsd }) => priceUsd !== null)) expectClose(sum(swap.map(worthOf)), decimal('0'))
      const nftLegs = legs.filter(({ coinId }) => isNftCoin(coinId))
      const held = sum([...coins].flatMap(([coinId, { paid }]) => (isNftCoin(coinId) ? paid : [])))
      expectClose(held, sum(nftLegs.flatMap(({ paidUsd }) => paidUsd ?? [])))
      expect(sign(held)).toBeGreaterThanOrEqual(0)
      const lots = sum([...coins].flatMap(([id, { pool }]) => (isNftCoin(id) ? pool.cost() : [])))
      const bought = sum([...coins].flatMap(([id, one]) => (isNftCoin(id) ? one.acquired.amount : [])))
      const taken = sum([...coins].flatMap(([id, one]) => (isNftCoin(id) ? one.disposedCost : [])))
      expectClose(bought, sum([lots, taken]))
      const history = sum(periods.map((period) => periodProfit(period).profitLoss))
      expectClose(
        totalProfit(coins, (id) => market.at(id, START_MS)),
        history,
      )
    }),
    { numRuns: runs({ short: 500, long: 10_000 }) },
  )
  expect(sales).toBeGreaterThan(100)
})

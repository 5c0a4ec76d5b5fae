import { decimal } from '../../db/values/decimal.ts'
import { DAY_MS, HOUR_MS } from '../../db/values/periods.ts'
import { type Account, type AccountEvent, changesOf } from '../../sandbox/exchanges/account.ts'
import { tokenOf } from '../../sandbox/chain/tokens.ts'
import { binanceRules } from '../../sandbox/exchanges/rules.ts'
import { createExchanges } from '../../sandbox/market/exchanges.ts'
import { createMarket } from '../../sandbox/market/market.ts'
import { createStatistics } from '../../sandbox/market/statistics.ts'
import { createBinance } from '../../sandbox/exchanges/binance.ts'
import { createCoinGecko } from '../../sandbox/prices/coingecko.ts'
import { createCoinPaprika } from '../../sandbox/prices/coinpaprika.ts'
import { createDefiLlama } from '../../sandbox/prices/defillama.ts'
import { fixture } from '../pnl/worked-example.ts'

// The worked example at the upstreams: its prices, and account E at the exchange.

/** The whole example is shifted in time, so that its last day is the day before yesterday. */
const END_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS
const SHIFT_MS = END_MS - Date.parse('2024-01-10')
export const shifted = (ms: number): number => ms + SHIFT_MS
export const shiftedDate = (text: string): string => new Date(shifted(Date.parse(text))).toISOString()

/**
 * Sandbox coins that stand for those of the example. aUSDC and SCAM are on no list: DefiLlama prices both by
 * their contracts, SCAM with low confidence.
 */
const COIN_IDS: Record<string, string> = {
  ETH: 'ethereum',
  BTC: 'bitcoin',
  USDC: 'usd-coin',
  DROP: 'sluice-drop',
  aUSDC: 'llama:moss',
  SCAM: 'llama:taxed',
}

/** Coin id of an asset; that of aUSDC is its contract. */
export const coinIdOf = (asset: string): string =>
  Object.hasOwn(UNLISTED, asset)
    ? `${tokenOf('ethereum', UNLISTED[asset]!).address}_ethereum`
    : COIN_IDS[asset]!

const UNLISTED: Record<string, string> = { aUSDC: 'MOSS', SCAM: 'TAXED' }

/** A transaction of the example by id, with its shifted time in Unix milliseconds. */
export function transactionOf(id: string) {
  const found = fixture.transactions.find((one) => one.id === id)!
  return { ...found, atMs: shifted(Date.parse(found.ts)) }
}

/** An amount in units of 10^-decimals. */
export function unitsOf(text: string, decimals: number): bigint {
  const { coefficient, scale } = decimal(text)
  return (coefficient * 10n ** BigInt(decimals)) / 10n ** BigInt(scale)
}

/**
 * The service stores hourly prices, and the one of midnight closes the day, so 00:10 has that price too. The
 * bridge arrives at another price, so here it arrives an hour later, still on the same day.
 */
export const BRIDGE_DELAY_MS = HOUR_MS

/** Prices by coin, each in force from its hour on until the next. */
function pricePoints(): Map<string, { at: number; usd: number }[]> {
  const points = new Map<string, { at: number; usd: number }[]>()
  const add = (asset: string, atMs: number, usd: string) => {
    const at = shifted(Math.floor(atMs / HOUR_MS) * HOUR_MS) / 1_000
    if (Number(usd) > 0)
      points.set(COIN_IDS[asset]!, [...(points.get(COIN_IDS[asset]!) ?? []), { at, usd: Number(usd) }])
  }
  for (const { ts, price } of fixture.transactions)
    for (const [asset, usd] of Object.entries(price)) add(asset, Date.parse(ts), usd!)
  const bridge = fixture.transactions.find(({ id }) => id === 'T8')!
  add('ETH', Date.parse(bridge.arrive!) + BRIDGE_DELAY_MS, bridge.arrive_price!)
  for (const [asset, days] of Object.entries(fixture.dayEndPrices))
    for (const [day, usd] of Object.entries(days)) add(asset, Date.parse(day) + DAY_MS, usd)
  for (const list of points.values()) list.sort((a, b) => a.at - b.at)
  return points
}

/** The upstreams of prices, and the exchange. Before its first price a coin has that price. */
export function exampleMounts() {
  const points = pricePoints()
  const anchor = END_MS / 1_000
  const invented = createMarket({ seed: 7, anchor })
  const priceUsd = (id: string, at: number) => {
    const list = points.get(id)
    return list ? (list.findLast((point) => point.at <= at) ?? list[0]!).usd : invented.priceUsd(id, at)
  }
  const market = { ...invented, priceUsd, isGap: () => false }
  const statistics = createStatistics(market)
  const world = { market, statistics, exchanges: createExchanges({ market, perUsd: statistics.perUsd }) }
  const binance = createBinance({ market, seed: 7, anchor, account: exampleAccount() })
  return [
    { base: '/coingecko/api/v3', upstream: createCoinGecko(world) },
    { base: '/coinpaprika/v1', upstream: createCoinPaprika(world) },
    { base: '/defillama', upstream: createDefiLlama(market) },
    { base: '/binance', upstream: binance },
  ]
}

const UNIT = 100_000_000n
const units = (text: string): bigint => unitsOf(text, 8)

/** Account E: fills with their fees, deposits and withdrawals. */
function exampleAccount(): Account {
  const events = fixture.transactions.flatMap((one, id): AccountEvent[] => {
    const at = shifted(Date.parse(one.ts))
    const { out, inn, legs, frm, fees } = one
    const [, feeAsset = '', feeText = '0'] = fees[0] ?? []
    const fee = units(feeText)
    const transfer = { id, at, fee, settledAt: at, failed: false }
    if (frm === 'E') return [{ kind: 'withdrawal', asset: one.asset!, amount: units(one.qty!), ...transfer }]
    const [account, asset, quantity] = legs?.[0] ?? []
    if (account === 'E') {
      const kind = one.kind === 'deposit' ? 'deposit' : 'withdrawal'
      return [{ kind, asset: asset!, amount: units(quantity!), ...transfer }]
    }
    if (out?.[0] !== 'E') return []
    const side = inn![1] === 'USDC' ? 'sell' : 'buy'
    const [given, money] = side === 'sell' ? [out, inn!] : [inn!, out]
    const [amount, cost] = [units(given[2]!), units(money[2]!)]
    return [
      {
        kind: 'fill',
        id,
        at,
        base: given[1]!,
        quote: 'USDC',
        side,
        amount,
        cost,
        price: (cost * UNIT) / amount,
        fee: { asset: feeAsset, amount: fee },
        maker: false,
      },
    ]
  })
  const eventsUntil = (nowMs: number) => events.filter(({ at }) => at <= nowMs)
  return {
    eventsUntil,
    balancesAt(nowMs) {
      const balances = new Map<string, bigint>()
      for (const [asset, amount] of eventsUntil(nowMs).flatMap(changesOf))
        balances.set(asset, (balances.get(asset) ?? 0n) + amount)
      return [...balances]
    },
    rules: {
      ...binanceRules,
      assets: { USDC: 'usd-coin', BTC: 'bitcoin', ETH: 'ethereum' },
      pairs: [['BTC', 'USDC'] as const, ['ETH', 'USDC'] as const],
    },
  }
}

import { createHash } from 'node:crypto'
import { FIRST_MS, type Stated } from '../../../api/portfolios/stated-transaction.ts'
import { bestCoins, type NamedCoin, readCoinsOfContracts } from '../../../db/prices/read-named-coins.ts'
import { fiatOf, isFiatCoin } from '../../../db/values/coins.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import {
  add,
  type Decimal,
  divide,
  formatDecimal,
  negate,
  sign,
  subtract,
  sum,
  ZERO,
} from '../../../db/values/decimal.ts'
import { currencyCodes } from '../portfolio/chooser.ts'
import { Unreadable } from './fields.ts'
import type { Amount, Entry, Movement } from './movement.ts'

const CONTRACT = /^eip155:(\d{1,10})\/erc20:(0x[0-9a-fA-F]{40})$/

/** A transaction of a file, and the coin that it moves. */
export interface Imported {
  line: number
  stated: Stated
  coin: NamedCoin
  /** The coin in the words of the file. */
  asset: string
}

export interface Problem {
  line: number
  reason: string
}

export interface Import {
  transactions: Imported[]
  refused: Problem[]
  left: Problem[]
}

/**
 * The transactions that the lines of a file become in a portfolio. Against a currency, a coin has the price that was
 * paid, fees in that currency included. A swap of two coins and a fee in a coin are transactions of each coin at its
 * market price. The id of a transaction follows from the words of the file, so reading it again gives the same ids, also when ranks of coins have changed.
 */
export async function stateMovements(
  db: ReadonlyDb,
  { portfolioId, entries, now }: { portfolioId: string; entries: readonly Entry[]; now: Date },
): Promise<Import> {
  const known = await readAssets(db, entries)
  const result: Import = { transactions: [], refused: [], left: [] }
  const seen = new Map<string, number>()
  for (const entry of entries) {
    const { line } = entry
    if ('left' in entry) result.left.push({ line, reason: entry.left })
    else if ('refused' in entry) result.refused.push({ line, reason: entry.refused })
    else
      try {
        const parts = partsOf(entry.movement, { known, now })
        if (parts.length === 0)
          result.left.push({ line, reason: 'only currencies move, and these are not kept' })
        for (const { coin, asset, ...part } of parts)
          result.transactions.push({
            line,
            coin,
            asset,
            stated: { ...part, id: idOf({ ...part, asset }, { portfolioId, seen }) },
          })
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error
        result.refused.push({ line, reason: error.message })
      }
  }
  return result
}

type Part = Omit<Stated, 'id'> & Pick<Imported, 'coin' | 'asset'>
type Known = (asset: string) => { currency: string } | { coin: NamedCoin }

function partsOf(movement: Movement, { known, now }: { known: Known; now: Date }): Part[] {
  const { at, received, spent, note } = movement
  if (at > now) throw new Unreadable('the time is in the future')
  if (at.getTime() < FIRST_MS) throw new Unreadable('the time is before 2009')
  const [came, went] = [received && sideOf(received, known), spent && sideOf(spent, known)]
  const fees = movement.fees.map((fee) => sideOf(fee, known))
  const coinOf = (side: Side | null) => (side?.coin ? { ...side, coin: side.coin } : null)
  const [bought, sold] = [coinOf(came), coinOf(went)]
  const parts: Part[] = []
  const state = (
    side: Side & { coin: NamedCoin },
    more: { isOut: boolean; price?: Decimal; currency?: string; text?: string | null },
  ) =>
    parts.push({
      at,
      coin: side.coin,
      asset: side.asset,
      coinId: side.coin.id,
      count: formatDecimal(more.isOut ? negate(side.amount) : side.amount),
      price: more.price ? formatDecimal(more.price) : null,
      currency: more.currency ?? 'USD',
      note: more.text === undefined ? note : more.text,
    })
  /** Fees in the currency of the other side change what was paid; they cannot make it negative. */
  const inPrice = (currency: string) =>
    sum(fees.filter((fee) => fee.currency === currency).map(({ amount }) => amount))
  if (bought) {
    const currency = went?.currency
    if (currency === undefined) state(bought, { isOut: false })
    else
      state(bought, {
        isOut: false,
        currency,
        price: divide(add(went!.amount, inPrice(currency)), bought.amount),
      })
  }
  if (sold) {
    const currency = came?.currency
    if (currency === undefined) state(sold, { isOut: true })
    else {
      const proceeds = subtract(came!.amount, inPrice(currency))
      state(sold, { isOut: true, currency, price: divide(sign(proceeds) < 0 ? ZERO : proceeds, sold.amount) })
    }
  }
  for (const fee of fees) if (fee.coin) state({ ...fee, coin: fee.coin }, { isOut: true, text: 'Fee' })
  return parts
}

interface Side {
  asset: string
  amount: Decimal
  currency?: string
  coin?: NamedCoin
}

const sideOf = ({ amount, asset }: Amount, known: Known): Side => ({ amount, asset, ...known(asset) })

/** Finds all assets of a file at once. The function throws Unreadable for one that is not known. */
async function readAssets(db: ReadonlyDb, entries: readonly Entry[]): Promise<Known> {
  const assets = entries.flatMap((entry) => {
    if (!('movement' in entry)) return []
    const { received, spent, fees } = entry.movement
    return [received, spent, ...fees].flatMap((one) => (one ? [one.asset] : []))
  })
  const addresses = assets.flatMap((asset) => CONTRACT.exec(asset)?.[2]?.toLowerCase() ?? [])
  const [{ byId, bySymbol }, currencies, byContract] = [
    await bestCoins(db, assets),
    new Set((await currencyCodes(db)).filter((code) => code !== 'BTC' && code !== 'ETH')),
    await readCoinsOfContracts(db, addresses),
  ]
  return (asset) => {
    const code = asset.toUpperCase()
    if (currencies.has(code)) return { currency: code }
    const fiat = isFiatCoin(asset) ? fiatOf(asset) : undefined
    if (fiat !== undefined && currencies.has(fiat)) return { coin: { id: asset, symbol: fiat, name: fiat } }
    const address = CONTRACT.exec(asset)?.[2]?.toLowerCase()
    const coin = address === undefined ? (byId.get(asset) ?? bySymbol.get(code)) : byContract.get(address)
    if (!coin) throw new Unreadable(`no coin has the id or symbol "${asset}"`)
    return { coin }
  }
}

/** A UUID of version 8 from the content; equal transactions of one file get different ones. */
function idOf(
  { at, asset, count, price, currency }: Omit<Part, 'coin' | 'coinId' | 'note'>,
  { portfolioId, seen }: { portfolioId: string; seen: Map<string, number> },
): string {
  const content = [portfolioId, at.toISOString(), asset.toUpperCase(), count, price, currency].join(' ')
  const before = seen.get(content) ?? 0
  seen.set(content, before + 1)
  const hex = createHash('sha256').update(`${content} ${before}`).digest('hex')
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) % 4]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

import { sql } from 'kysely'
import type { Db, ReadonlyDb } from '../../schema.ts'
import type { CostMethod } from '../lots/lot-pool.ts'
import { createLotFold, foldOf, type LotUse, stateOf } from '../lots/fold-lots.ts'
import { postingRules } from '../lots/posting.ts'
import { type ScopeEntry, scopeEntries } from '../lots/scope-entries.ts'
import { foldRow, type InUnits, inUnits, readCoinStates, UNITS } from '../lots/fold-rows.ts'
import { loadPriceBook } from '../valuation/price-book.ts'
import type { FirstPrices } from '../legs/measured-legs.ts'
import { openingHoldings } from '../periods/opening-balances.ts'
import { readScopeBooks } from '../scopes.ts'
import { UNIT_COINS } from '../../values/coins.ts'

/** One acquisition, disposal or carry of a coin. */
export interface CoinEntry {
  entry: Omit<ScopeEntry, 'postings'>
  use: InUnits<LotUse>
}

/**
 * Returns every entry that changed a coin of a fold in a month, with the lots that it used. Folds all coins
 * of the scope again from the state before the month, because lots move between coins. Null when the result
 * differs from the stored fold, which then lacks a recent change.
 */
export async function explainMonth(
  db: ReadonlyDb,
  input: { foldId: string; coinId: string; month: Date },
): Promise<CoinEntry[] | null> {
  return await (db as unknown as Db)
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((snapshot) => foldMonth(snapshot, input))
}

async function foldMonth(
  db: Db,
  { foldId, coinId, month }: { foldId: string; coinId: string; month: Date },
): Promise<CoinEntry[] | null> {
  const { rows } = await sql<{ scope_id: string; method: CostMethod }>`
    select scope_id, method from folds where id = ${foldId}`.execute(db)
  const [fold] = rows
  if (!fold) return null
  const { scope_id: scopeId, method } = fold
  const next = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1))
  const [fromMs, toMs] = [month.getTime(), next.getTime()]
  const prices = await loadPriceBook({ db, coinIds: Object.values(UNIT_COINS), fromMs, toMs })
  const before = await readCoinStates(db, { foldId, before: month })
  const uses = inUnits((): LotUse[] => [])
  const folds = inUnits((unit) =>
    createLotFold({
      method,
      coins: new Map([...before].map(([id, state]) => [id, foldOf(method, state[unit])])),
      ...(unit !== 'usd' && { unitUsd: (atMs: number) => prices.at(UNIT_COINS[unit], atMs) }),
      onLots(use) {
        if (use.coinId === coinId) uses[unit].push(use)
      },
    }),
  )
  const books = (await readScopeBooks(db, [scopeId])).get(scopeId) ?? []
  const holdings = []
  for (const book of books) holdings.push(await openingHoldings({ db, bookId: book.id, atMs: fromMs }))
  const firsts: FirstPrices = { fromMs, byCoin: new Map() }
  const rules = await postingRules(db)
  const found: CoinEntry[] = []
  for await (const { postings, ...entry } of scopeEntries({
    db,
    scopeId,
    books,
    holdings,
    firsts,
    fromMs,
    toMs,
    rules,
  })) {
    for (const unit of UNITS) folds[unit].apply({ ...entry, postings })
    uses.usd.forEach((usd, index) =>
      found.push({ entry, use: { usd, btc: uses.btc[index]!, eth: uses.eth[index]! } }),
    )
    for (const unit of UNITS) uses[unit].length = 0
  }
  const stored = (await readCoinStates(db, { foldId, before: next, coinId })).get(coinId)
  const isFolded = folds.usd.coins.has(coinId)
  if (!stored || !isFolded) return stored || isFolded ? null : found
  const text = (states: InUnits<ReturnType<typeof stateOf>>) =>
    JSON.stringify(foldRow({ foldId, coinId, month, states }))
  return text(inUnits((unit) => stateOf(folds[unit].coins.get(coinId)!))) === text(stored) ? found : null
}

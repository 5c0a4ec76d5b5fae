import type pg from 'pg'
import type { Db } from '../../db/schema.ts'
import type { Book } from '../../db/pnl/books.ts'
import type { Move } from '../../db/pnl/lots/coin-state.ts'
import { createDayAmounts } from '../../db/pnl/lots/day-amounts.ts'
import { createUseLog } from '../../db/pnl/lots/lot-uses.ts'
import { dayRow, readHeld, readHeldCosts } from '../../db/pnl/lots/day-rows.ts'
import { foldRow, inUnits, readCoinStates, UNITS } from '../../db/pnl/lots/fold-rows.ts'
import { endFold, lockDirtyFold, dirtyFolds } from '../../db/pnl/lots/folds.ts'
import { legSource } from '../../db/pnl/legs/leg-source.ts'
import { loadPriceBook } from '../../db/pnl/valuation/price-book.ts'
import type { FirstPrices } from '../../db/pnl/legs/measured-legs.ts'
import { openingHoldings } from '../../db/pnl/periods/opening-balances.ts'
import type { PriceBook } from '../../db/pnl/valuation/price-book.ts'
import { readScopeBooks } from '../../db/pnl/scopes.ts'
import {
  deleteMonthsBut,
  deleteUsesBut,
  storeMonth,
  storeMonthDays,
  storeMoves,
  storeUses,
} from '../../db/pnl/lots/store-fold.ts'
import { UNIT_COINS } from '../../db/values/coins.ts'
import { transact } from '../../db/transact.ts'
import { ZERO } from '../../db/values/decimal.ts'
import { cutPoints, DAY_MS, startOfPeriod } from '../../db/values/periods.ts'
import { createLotFold, foldOf, type LotUse, stateOf, type UseSource } from '../../db/pnl/lots/fold-lots.ts'
import { coinsOf, postingRules } from '../../db/pnl/lots/posting.ts'
import { scopeEntries } from '../../db/pnl/lots/scope-entries.ts'
import type { Change } from '../../db/pnl/scopes.ts'

/**
 * Updates the coin rows of a scope and one cost method up to its last leg, from the month of its earliest
 * change on. Running it twice, or from an earlier month, gives the same rows to the last digit. One
 * transaction, which locks the row of the fold. Returns null when the fold was not dirty.
 */
export function foldScope({
  pool,
  ...input
}: FoldInput & { pool: pg.Pool }): Promise<{ months: number } | null> {
  return transact(pool, ({ db }) => foldScopeIn(db, input))
}

interface FoldInput {
  foldId: string
  nowMs: number
  onProgress?: (monthMs: number) => void
}

/** Does the same in the caller's transaction, which the caller may roll back. */
export async function foldScopeIn(db: Db, input: FoldInput): Promise<{ months: number } | null> {
  const { foldId, nowMs } = input
  const fold = await lockDirtyFold(db, foldId)
  if (!fold) return null
  const { scopeId, method, dirtyMs } = fold
  const books = (await readScopeBooks(db, [scopeId])).get(scopeId) ?? []
  const dayAgoMs = nowMs - DAY_MS
  const monthOf = (instantMs: number) => startOfPeriod('monthly', Math.min(instantMs, dayAgoMs))
  // Deletes from the earliest change on, because the history may now begin later than before.
  const changed = new Date(monthOf(dirtyMs))
  const startMs = monthOf(Math.max(dirtyMs, await firstLeg(db, books)))

  const states = await readCoinStates(db, { foldId, before: changed })
  let prices: PriceBook | null = null
  const moves = inUnits((): Move[] => [])
  const touched = new Set<string>()
  const kept: { coinId: string; month: Date }[] = []
  const usedDays: Date[] = []
  const uses = createUseLog(method)
  const storeUsed = async () => {
    const days = uses.take()
    await storeUses(db, { foldId, days })
    usedDays.push(...days.map(({ day }) => day))
  }
  const noteUse = (use: LotUse, source: UseSource) => {
    amounts.note(use, source.atMs)
    uses.note(use, source)
  }
  const folds = inUnits((unit) =>
    createLotFold({
      method,
      coins: new Map([...states].map(([coinId, state]) => [coinId, foldOf(method, state[unit])])),
      ...(unit !== 'usd' && { unitUsd: (atMs: number) => prices!.at(UNIT_COINS[unit], atMs) }),
      ...(unit === 'usd' && { onLots: noteUse }),
      movesFromMs: dayAgoMs,
      onMove: (move) => moves[unit].push(move),
    }),
  )
  const amounts = createDayAmounts({
    method,
    quantityOf: (coinId) => folds.usd.coins.get(coinId)?.pool.quantity() ?? ZERO,
    heldOf: await readHeld(db, { foldId, before: changed }),
  })

  const rules = await postingRules(db)
  const firsts: FirstPrices = { fromMs: startMs, byCoin: new Map() }
  const holdings = []
  for (const book of books) holdings.push(await openingHoldings({ db, bookId: book.id, atMs: startMs }))
  // One day more, because clocks of chains may be ahead.
  const ends = cutPoints({ interval: 'monthly', fromMs: startMs, toMs: nowMs + DAY_MS })
  let fromMs = startMs
  for (const toMs of ends) {
    prices = null
    for await (const entry of scopeEntries({ db, scopeId, books, holdings, firsts, fromMs, toMs, rules })) {
      // Most months of most books have no entry and need no prices.
      prices ??= await loadPriceBook({ db, coinIds: Object.values(UNIT_COINS), fromMs, toMs })
      for (const coinId of entry.postings.flatMap(coinsOf)) touched.add(coinId)
      for (const coinId of amounts.missingFor(entry.postings))
        amounts.load(coinId, await readHeldCosts(db, { foldId, coinId, before: changed }))
      if (uses.isFull(entry.atMs)) await storeUsed()
      uses.begin(entry)
      for (const unit of UNITS) folds[unit].apply(entry)
    }
    const month = new Date(fromMs)
    const rows = [...touched].map((coinId) =>
      foldRow({
        foldId,
        coinId,
        month,
        states: inUnits((unit) => stateOf(folds[unit].coins.get(coinId)!)),
      }),
    )
    await storeMonth(db, { foldId, month, rows })
    const days = [...touched].map((coinId) => dayRow({ foldId, month, amounts: amounts.endMonth(coinId) }))
    await storeMonthDays(db, days)
    await storeUsed()
    kept.push(...[...touched].map((coinId) => ({ coinId, month })))
    touched.clear()
    input.onProgress?.(toMs)
    fromMs = toMs
  }
  await deleteMonthsBut(db, { foldId, from: changed, kept })
  await deleteUsesBut(db, { foldId, from: changed, kept: usedDays })
  await storeMoves(db, { foldId, moves })
  await endFold(db, { foldId, at: new Date(nowMs) })
  return { months: ends.length }
}

async function firstLeg(db: Db, books: readonly Book[]): Promise<number> {
  const instants: number[] = []
  for (const book of books) {
    const { rows } = await legSource(book).first.execute(db)
    if (rows[0]) instants.push(rows[0].at.getTime())
  }
  return Math.min(...instants)
}

/** Updates the coin rows that a change of a book, or of an account's portfolios, made dirty. */
export async function foldChanges(input: {
  db: Db
  pool: pg.Pool
  change: Change
  nowMs: number
  onProgress?: (monthMs: number) => void
}): Promise<void> {
  const { db, change, ...rest } = input
  for (const foldId of await dirtyFolds(db, change)) await foldScope({ ...rest, foldId })
}

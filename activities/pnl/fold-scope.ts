import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '../../db/connect.ts'
import type { Move } from '../../db/pnl/coin-state.ts'
import { foldRow, type InUnits, inUnits, moveRow, readCoinStates, UNITS } from '../../db/pnl/fold-rows.ts'
import type { FoldScope } from '../../db/pnl/fold-scopes.ts'
import { legSource } from '../../db/pnl/leg-source.ts'
import { loadPriceBook } from '../../db/pnl/load-price-book.ts'
import type { FirstPrices } from '../../db/pnl/measured-legs.ts'
import { openingBalances } from '../../db/pnl/opening-balances.ts'
import { UNIT_COINS } from '../../db/pnl/unit-prices.ts'
import { transact } from '../../db/transact.ts'
import { isFiatCoin } from '../../db/values/fiat-coin.ts'
import { cutPoints, DAY_MS, startOfPeriod } from '../../db/values/periods.ts'
import { createLotFold, foldOf, stateOf } from './fold-lots.ts'
import { scopeEntries } from './scope-entries.ts'

const MAJORS: ReadonlySet<string> = new Set(Object.values(UNIT_COINS))

/**
 * Brings the coin rows of a scope up to its last leg, from the month of its earliest change on: doing it twice, or from an
 * earlier month, gives the same rows to the last digit. One transaction, which holds the row of the scope. Null: nothing
 * was to be done.
 */
export async function foldScope(input: {
  pool: pg.Pool
  scope: FoldScope
  nowMs: number
  onProgress?: (monthMs: number) => void
}): Promise<{ months: number } | null> {
  const { nowMs } = input
  const { id: scopeId, books } = input.scope
  return transact(input.pool, async ({ db }) => {
    const { rows } = await sql<{ dirty_from: Date | null }>`
      select dirty_from from fold_scopes where id = ${scopeId} for update`.execute(db)
    const dirtyMs = rows[0]?.dirty_from?.getTime()
    if (dirtyMs === undefined) return null
    const dayAgoMs = nowMs - DAY_MS
    const monthOf = (instantMs: number) => startOfPeriod('monthly', Math.min(instantMs, dayAgoMs))
    // The history may begin later than it did.
    const changed = new Date(monthOf(dirtyMs))
    const startMs = monthOf(Math.max(dirtyMs, await firstLeg(db, input.scope)))
    await sql`delete from coin_folds where scope_id = ${scopeId} and month >= ${changed}`.execute(db)
    await sql`delete from coin_moves where scope_id = ${scopeId}`.execute(db)

    const states = await readCoinStates(db, { scopeId, before: changed })
    let prices = await loadPriceBook({ db, coinIds: [...MAJORS], fromMs: startMs, toMs: startMs })
    const moves = inUnits((): Move[] => [])
    const touched = new Set<string>()
    const folds = inUnits((unit) =>
      createLotFold({
        method: 'average',
        coins: new Map([...states].map(([coinId, state]) => [coinId, foldOf(state[unit])])),
        ...(unit !== 'usd' && { unitUsd: (atMs: number) => prices.at(UNIT_COINS[unit], atMs) }),
        onMove(move) {
          touched.add(move.coinId)
          if (move.atMs >= dayAgoMs) moves[unit].push(move)
        },
      }),
    )

    const rules = await postingRules(db)
    const firsts: FirstPrices = { fromMs: startMs, byCoin: new Map() }
    const balances = []
    for (const book of books) balances.push(await openingBalances({ db, bookId: book.id, atMs: startMs }))
    // Clocks of chains may be ahead.
    const ends = cutPoints({ interval: 'monthly', fromMs: startMs, toMs: nowMs + DAY_MS })
    let fromMs = startMs
    for (const toMs of ends) {
      prices = await loadPriceBook({ db, coinIds: [...MAJORS], fromMs, toMs })
      for await (const entry of scopeEntries({ db, books, balances, firsts, fromMs, toMs, rules }))
        for (const unit of UNITS) folds[unit].apply(entry)
      const month = new Date(fromMs)
      const written = [...touched].map((coinId) =>
        foldRow({
          scopeId,
          coinId,
          month,
          states: inUnits((unit) => stateOf(folds[unit].coins.get(coinId)!)),
        }),
      )
      await insertRows(db, 'coin_folds', written)
      touched.clear()
      input.onProgress?.(toMs)
      fromMs = toMs
    }
    await insertRows(db, 'coin_moves', movesOf(scopeId, moves))
    await sql`
      update fold_scopes set dirty_from = null, folded_at = ${new Date(nowMs)}, revision = revision + 1
      where id = ${scopeId}`.execute(db)
    return { months: ends.length }
  })
}

function movesOf(scopeId: string, { usd, btc, eth }: InUnits<Move[]>) {
  return usd.map((move, seq) =>
    moveRow({ scopeId, seq, moves: { usd: move, btc: btc[seq]!, eth: eth[seq]! } }),
  )
}

/** Rows by the names of the columns; numbers go as text, so that no digit is lost. */
async function insertRows(
  db: Db,
  table: 'coin_folds' | 'coin_moves',
  rows: readonly object[],
): Promise<void> {
  if (rows.length === 0) return
  const name = sql.table(table)
  await sql`insert into ${name} select * from json_populate_recordset(null::${name}, ${JSON.stringify(rows)})`.execute(
    db,
  )
}

async function firstLeg(db: Db, { books }: FoldScope): Promise<number> {
  const instants: number[] = []
  for (const book of books) {
    const { rows } = await legSource(book).first.execute(db)
    if (rows[0]) instants.push(rows[0].at.getTime())
  }
  return Math.min(...instants)
}

/** Money and stable coins are trusted most, then BTC and ETH: ranks change, and figures would change with them. */
async function postingRules(db: Db) {
  const rows = await db.selectFrom('coins').select('id').where('is_stable', '=', true).execute()
  const stable = new Set(rows.map(({ id }) => id))
  return {
    isStable: (coinId: string) => stable.has(coinId) || isFiatCoin(coinId),
    trust: (coinId: string) => (MAJORS.has(coinId) ? 1 : 0),
  }
}

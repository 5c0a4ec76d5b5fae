import type { Db } from '../schema.ts'
import { copyRows } from '../copy-rows.ts'
import type { Transaction } from '../transact.ts'

/** The newest stored day of an index; null: there is none. */
export async function newestFearGreed(db: Db, source: string): Promise<Date | null> {
  const { at } = await db
    .selectFrom('fear_greed')
    .select((eb) => eb.fn.max('at').as('at'))
    .where('source', '=', source)
    .executeTakeFirstOrThrow()
  return at
}

/** Stores days of an index and replaces revised values. Returns the number of new or changed rows. */
export async function storeFearGreed(
  { client }: Pick<Transaction, 'client'>,
  batch: { source: string; days: readonly { at: Date; value: number }[]; fetchedAt: Date },
): Promise<number> {
  const { source, days, fetchedAt } = batch
  return copyRows(client, {
    table: 'fear_greed',
    columns: ['source', 'at', 'value', 'fetched_at'],
    key: ['source', 'at'],
    update: ['value'],
    stamp: ['fetched_at'],
    rows: days.map(({ at, value }) => [source, at, value, fetchedAt]),
  })
}

/** Adds past market totals. Stored samples of the same instant stay. Returns the number of rows added. */
export async function storePastTotals(
  { client }: Pick<Transaction, 'client'>,
  batch: {
    source: string
    totals: readonly { at: Date; marketCapUsd: string; volume24hUsd: string; btcDominance: string }[]
    fetchedAt: Date
  },
): Promise<number> {
  const { source, totals, fetchedAt } = batch
  return copyRows(client, {
    table: 'market_totals',
    columns: ['at', 'market_cap_usd', 'volume_24h_usd', 'btc_dominance', 'source', 'fetched_at'],
    key: ['at'],
    rows: totals.map((t) => [t.at, t.marketCapUsd, t.volume24hUsd, t.btcDominance, source, fetchedAt]),
  })
}

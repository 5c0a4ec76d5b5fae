import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { sqlStateOf, UNDEFINED_TABLE } from './transact.ts'

/** The last migration from before the split into areas. It is also one of the current migrations. */
const LAST_OF_BEFORE = '20261123-0330-note-price-changes'

/**
 * The migrations before it. The first migrations of the areas together create the same schema. Taking over a
 * database that has all of them only replaces the list of migrations.
 */
export const REPLACED: readonly string[] = [
  '20261121-1000-create-sources',
  '20261121-1010-create-prices',
  '20261121-1020-create-chain',
  '20261121-1030-create-pnl',
  '20261121-1040-create-metering',
  '20261121-1050-extend-chain',
  '20261121-1060-page-wallet-transactions',
  '20261121-1110-reprice-movements',
  '20261121-2000-create-tickers',
  '20261121-2001-create-coin-risks',
  '20261121-2002-create-coin-listings',
  '20261121-2005-attach-price-partitions',
  '20261121-2020-create-news',
  '20261121-2040-create-insights',
  '20261121-2045-count-source-requests',
  '20261121-2050-create-risk',
  '20261121-2060-create-nft',
  '20261121-2080-create-defi',
  '20261121-2100-create-exchanges',
  '20261121-2130-add-bitcoin-and-solana',
  '20261121-2150-create-prediction',
  '20261121-2165-match-prediction-markets',
  '20261121-2180-cover-lists',
  '20261121-2180-keep-symbols-printable',
  '20261121-2200-key-pnl-by-books',
  '20261121-2210-open-exchange-books',
  '20261121-2220-create-coin-folds',
  '20261121-2300-create-portfolios',
  '20261121-2310-fold-by-scope-and-method',
  '20261121-2320-write-portfolios',
  '20261121-2330-count-transactions-by-day',
  '20261121-2331-keep-portfolio-snapshots',
  '20261121-2340-open-shares',
  '20261121-2351-explain-folds',
  '20261121-2360-keep-what-was-replaced',
  '20261121-2360-match-bridges',
  '20261121-2370-correct-exchange-transactions',
  '20261122-2400-create-payments',
  '20261122-2405-revoke-sessions',
  '20261122-2410-count-usage-by-day',
  '20261122-2411-top-up-credits',
  '20261122-2420-create-identities',
  '20261122-2425-open-account-page',
  '20261122-2430-mark-rest-of-split',
  '20261122-2440-open-console',
  '20261122-2500-observe',
  '20261122-2510-tell-retries-apart',
  '20261122-2530-pause-waiting-requests',
  '20261122-2540-store-while-verifying',
  '20261122-2550-revise-wallet-transactions',
  '20261122-2560-keep-page-sessions',
  '20261122-2620-bound-replays',
  '20261122-2621-lose-payments',
  '20261122-2622-index-payments-by-block',
  '20261122-2623-index-lost-payments',
  '20261122-2624-validate-payments',
  '20261122-2625-know-authorizations',
]

/** A database that has only some of the replaced migrations. No test covers completing them. */
class OlderSchemaError extends Error {
  constructor(newest: string) {
    super(
      `The database has the migrations of an older release, up to ${newest}. This release takes over a database that has ` +
        `all of them, up to ${LAST_OF_BEFORE}. Nothing was changed. Start the release before this one on it once, then ` +
        'this one: docs/operator.md.',
    )
    this.name = 'OlderSchemaError'
  }
}

/** Whether the database must be taken over. Rejects with OlderSchemaError if it cannot be. It only reads. */
export async function isOfBefore(pool: Pick<pg.Pool, 'query'>): Promise<boolean> {
  const { rows } = await pool
    .query<{ name: string }>('select name from kysely_migration order by name')
    .catch((error: unknown) => {
      if (sqlStateOf(error) === UNDEFINED_TABLE) return { rows: [] }
      throw error
    })
  const names = rows.map(({ name }) => name)
  if (!names.some((name) => REPLACED.includes(name))) return false
  if ([...REPLACED, LAST_OF_BEFORE].every((name) => names.includes(name))) return true
  throw new OlderSchemaError(names.at(-1)!)
}

/**
 * Takes a database over: records the first migration of each area in `known` instead of the replaced ones.
 * The last old migration stays in the list, because running processes of the old release check for it.
 */
export async function takeOver(db: Kysely<unknown>, known: readonly string[]): Promise<void> {
  const first = known.filter((name) => name < LAST_OF_BEFORE)
  await db.transaction().execute(async (transaction) => {
    await sql`delete from kysely_migration where name = any(${REPLACED})`.execute(transaction)
    // The migrator orders by time, then by name.
    await sql`insert into kysely_migration (name, timestamp)
      select first.name, last.timestamp from unnest(${first}::text[]) as first (name), kysely_migration as last
      where last.name = ${LAST_OF_BEFORE}`.execute(transaction)
  })
}

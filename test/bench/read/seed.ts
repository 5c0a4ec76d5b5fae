import type { Db } from '../../../db/schema.ts'
import { createAccount, createKey } from '../../../db/metering/write.ts'
import { sql } from 'kysely'

export const BIG_WALLET = 1
export const FIRST_WALLET = 1_000
const ROWS_PER_WALLET = 100
const BIG_ROWS = 200_000
export const ADDRESS_SQL = (number: string) => `'0x' || lpad(to_hex(${number}), 40, '0')`

export interface Seed {
  wallets: number
  accountId: string
  key: string
}

/**
 * Inserts wallets of 100 transactions each and one of 200,000, `rows` in total, which triggers of the
 * database rank. Also prices of their coins, and an account with practically unlimited rate and credits.
 */
export async function seedRead(db: Db, rows: number): Promise<Seed> {
  const wallets = Math.max(1, Math.floor((rows - BIG_ROWS) / ROWS_PER_WALLET))
  await sql`update networks set active = (id = 'ethereum')`.execute(db)
  await sql
    .raw(
      `insert into wallets (address) select ${ADDRESS_SQL('n')} from
       (select ${BIG_WALLET} as n union all select generate_series(${FIRST_WALLET}, ${FIRST_WALLET + wallets - 1})) as numbers
       order by n`,
    )
    .execute(db)
  const count = (
    address: string,
  ) => `case when ${address} = ${ADDRESS_SQL(String(BIG_WALLET))} then ${BIG_ROWS}
    else ${ROWS_PER_WALLET} end`
  await sql.raw(insertTransactions(count('w.address'))).execute(db)
  await sql`insert into wallet_syncs (wallet_id, network_id, cursor_block, head_block, normalised_block, synced_at)
    select id, 'ethereum', 1, 1, 1, now() from wallets`.execute(db)
  await seedCoins(db)
  const accountId = await openAccount(db)
  const { key } = await createKey(db, { accountId, name: 'bench' })
  await sql`vacuum analyze`.execute(db)
  await sql`checkpoint`.execute(db)
  return { wallets, accountId, key }
}

/** Inserts 200 coins and their prices. */
export async function seedCoins(db: Db): Promise<void> {
  await sql`insert into coins (id, symbol, name, slug, icon, is_stable, categories, last_seen_at, source, fetched_at)
    select 'coin-' || n, 'C' || n, 'Coin ' || n, 'coin-' || n, '', false, '{}', now(), 'bench', now()
    from generate_series(0, 199) as n`.execute(db)
  await sql`insert into coin_quotes (coin_id, price_usd, at, source, fetched_at)
    select 'coin-' || n, 1.5 + n, now(), 'bench', now() from generate_series(0, 199) as n`.execute(db)
}

/** Creates an account with practically unlimited rate and credits, and opens its period. */
export async function openAccount(db: Db): Promise<string> {
  const { accountId } = await createAccount(db, {
    name: 'bench',
    plan: 'enterprise',
    creditsPerMonth: 10n ** 15n,
    requestsPerSecond: 100_000,
  })
  await sql`select ensure_periods(array[${accountId}::uuid])`.execute(db)
  return accountId
}

/** Rows as the sync writes them. The fragment, without its changing fields, has about 500 characters. */
const insertTransactions = (count: string) => `
  insert into wallet_transactions (wallet_id, network_id, at, block_number, block_hash, tx_index, hash, type, coin_ids,
    identified, main_coin_id, main_symbol, main_count, main_value_usd, fragment, source, fetched_at)
  select w.id, 'ethereum', row.at, n, '0x' || md5(n::text) || md5('b' || n), n % 200, hash, 'deposit', array[coin], true,
    coin, 'C' || n % 200, 1 + n % 97, 10 + n % 89,
    replace(replace(json_build_object('type', 'Received', 'date', to_char(row.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'mainContent', json_build_object('coinIcons', '[]'::json, 'coinAssets', '[]'::json),
      'transactions', json_build_array(json_build_object('action', 'Received', 'items', json_build_array(json_build_object(
        'id', hash || '-0', 'count', 1 + n % 97, 'totalWorth', 10 + n % 89,
        'coin', json_build_object('id', coin, 'name', 'Coin ' || n % 200, 'symbol', 'C' || n % 200, 'icon', ''),
        'fromAddress', '0x' || lpad(to_hex(n), 40, '0'))))),
      'hash', json_build_object('id', hash, 'explorerUrl', 'https://etherscan.io/tx/' || hash))::text,
      ' : ', ':'), ', ', ','), 'bench', now()
  from wallets w, generate_series(1, ${count}) as n, lateral (
    select timestamptz '2021-01-01' + n * interval '13 minutes' + w.id * interval '1 second' as at,
      '0x' || md5(w.id || '-' || n) || md5(n || '+' || w.id) as hash, 'coin-' || n % 200 as coin) as row`

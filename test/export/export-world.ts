import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { openTarget } from '../../export/open-target.ts'
import { runExport } from '../../export/run-export.ts'
import { verifyExport } from '../../export/verify.ts'
import type { TestDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

/** Rows per file, so small that the tables of the test are cut like large ones. */
const FILE_ROWS = 100

/**
 * Exports a database into new folders, which are deleted after the test file, or into a store that `env`
 * opens.
 */
export async function exportWorld(database: TestDatabase, env: NodeJS.ProcessEnv = {}) {
  // The role of the worker, to check that it may read everything that is exported.
  const worker = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test-export' })
  // The role of the command.
  const operator = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test-export' })
  const home = await mkdtemp(join(tmpdir(), 'sluice-export-'))
  afterAll(async () => {
    await worker.close()
    await operator.close()
    await rm(home, { recursive: true, force: true })
  })
  return {
    newFolder: () => join(home, randomUUID()),
    run: (where: string, now: () => Date = () => new Date()) =>
      runExport({ pool: worker.pool, target: openTarget(where, env), now, fileRows: FILE_ROWS }),
    verify: (where: string) =>
      verifyExport({ pool: operator.pool, target: openTarget(where, env), spill: join(home, 'spill') }),
  }
}

/** Inserts rows of most families, over three months. */
export async function insertHistory(url: string): Promise<void> {
  await query(
    url,
    `insert into coins (id, symbol, name, slug, last_seen_at, source, fetched_at)
     select 'coin-' || n, 'c' || n, 'Coin ' || n, 'coin-' || n, '2026-03-31Z', 'test', '2026-03-31Z'
     from generate_series(1, 5) as n`,
  )
  await query(url, `select ensure_price_partitions('2026-01-01Z', '2026-03-31Z')`)
  await query(
    url,
    `insert into price_days (coin_id, at, usd, source, fetched_at)
     select 'coin-' || n, at, n * 1.000000000000000001 + extract(epoch from at) / 7, 'test', at
     from generate_series(1, 5) as n, generate_series(timestamptz '2026-01-01Z', '2026-03-31Z', '1 day') as at`,
  )
  await query(url, `insert into wallets (address) values ('0xa'), ('0xb')`)
  await query(
    url,
    `insert into transactions (network_id, hash, block_number, block_hash, at, tx_index, from_address, value, fee, success,
       source, fetched_at)
     select 'ethereum', 'hash-' || n, n, 'block-' || n, timestamptz '2026-01-01Z' + n * interval '12 h', 0, '0xa',
       n * 1e18, 21000 * n, true, 'test', '2026-03-31Z' from generate_series(1, 150) as n`,
  )
  await query(
    url,
    `insert into movements (wallet_id, network_id, at, block_number, block_hash, tx_index, tx_hash, seq, role, coin_id, raw, decimals,
       price_usd, source, fetched_at)
     select n % 20, 'ethereum', timestamptz '2025-12-01Z' + n * interval '5 h', n, 'block-' || n, 0, 'hash-' || n, 0, 'transfer',
       'coin-1', n * 1e15, 18, n / 7.0, 'test', '2026-03-31Z' from generate_series(1, 600) as n`,
  )
  await query(
    url,
    `insert into balances (wallet_id, network_id, coin_id, raw, decimals, block_number, block_hash, source, fetched_at)
     select id, 'ethereum', 'coin-1', id * 1e18 + 1, 18, 1, 'block', 'test', '2026-03-31Z' from wallets`,
  )
  await query(
    url,
    `with scope as (insert into scopes (wallet_id) select id from wallets where address = '0xa' returning id)
     insert into transfer_matches (scope_id, coin_id, raw, decimals, fee, from_book_id, from_at, from_tx_id, from_seq, to_book_id,
       to_at, to_tx_id, to_seq)
     select id, 'coin-1', n * 1e18, 18, n * 0.001234567890123456, 1, at, 'out-' || n, 0, 2, at + interval '1 h', 'in-' || n, 0
     from scope, generate_series(1, 20) as n, lateral (select timestamptz '2026-01-01Z' + n * interval '1 day') as of_day (at)`,
  )
  await query(
    url,
    `insert into news_sources (source, name, web_url, feed_url, fetched_at)
     values ('desk', 'Desk', 'https://desk.example', 'https://desk.example/feed', '2026-03-31Z')`,
  )
  await query(
    url,
    `insert into news_items (id, source, link, title, has_content, sentiment, sentiment_score, analysis, published_at, fetched_at)
     select lpad(to_hex(n), 64, '0'), 'desk', 'https://desk.example/' || n, 'Title ' || n, false, 'neutral', n / 7.0, 'v1',
       timestamptz '2026-01-01Z' + n * interval '3 days', '2026-03-31Z' from generate_series(1, 30) as n`,
  )
}

/** Changes to these rows: inserts, corrections, deletions and replacements. `n` selects the rows. */
export const CHANGES: readonly ((n: number) => string)[] = [
  // A corrected price, with the same fetch time.
  (n) =>
    `update price_days set usd = usd + 0.000000000000000001 where coin_id = 'coin-${(n % 5) + 1}' and at = ${day(n)}`,
  (n) => `delete from price_days where coin_id = 'coin-${(n % 5) + 1}' and at = ${day(n)}`,
  (n) =>
    `insert into price_days (coin_id, at, usd, source, fetched_at) values ('coin-${(n % 5) + 1}', ${day(n)}, ${n}.5, 'test', ${day(n)})
     on conflict (coin_id, at) do update set usd = excluded.usd`,
  // Two prices swap places, so that neither count nor sum changes.
  (n) =>
    `update price_days as one set usd = other.usd from price_days as other
     where one.at = ${day(n)} and other.at = one.at and (one.coin_id, other.coin_id) in (('coin-1', 'coin-2'), ('coin-2', 'coin-1'))`,
  // A reorg: the same transaction in another block, hours later.
  (n) =>
    `update transactions set block_hash = 'other-${n}', at = at + interval '20 h' where hash = 'hash-${(n % 150) + 1}'`,
  (n) => `delete from transactions where block_number between ${n % 150} and ${(n % 150) + 2}`,
  (n) =>
    `insert into transactions (network_id, hash, block_number, block_hash, at, tx_index, from_address, value, fee, success, source, fetched_at)
     values ('ethereum', 'new-${n}', ${n}, 'block', timestamptz '2026-02-01Z' + ${n} * interval '1 h', 0, '0xa', 2::numeric ^ 255 + ${n}, 0, true, 'test', now())
     on conflict do nothing`,
  // The whole history of one wallet, then a wallet that is read again.
  (n) => `update movements set price_usd = price_usd + ${n} where wallet_id = ${n % 20}`,
  (n) => `delete from movements where wallet_id = ${n % 20} and block_number < ${n * 2}`,
  (n) =>
    `insert into movements (wallet_id, network_id, at, block_number, block_hash, tx_index, tx_hash, seq, role, coin_id, raw, decimals,
       source, fetched_at)
     select ${n % 25}, 'ethereum', timestamptz '2025-11-01Z' + m * interval '9 h', m, 'block', 0, 'new-' || m, ${n}, 'trade', 'coin-2',
       2::numeric ^ 200 * (${n} - 150), 18, 'test', now() from generate_series(1, 40) as m on conflict do nothing`,
  (n) => `update balances set raw = raw + ${n}, fetched_at = now()`,
  (n) =>
    `update news_items set sentiment = 'bullish', coin_ids = '{coin-${n}}' where id = lpad(to_hex(${(n % 30) + 1}), 64, '0')`,
  // A new first month, then a month that disappears completely.
  (n) =>
    `insert into news_items (id, source, link, title, has_content, sentiment, sentiment_score, analysis, published_at, fetched_at)
     values (lpad(to_hex(${n + 1_000}), 64, '0'), 'desk', 'https://desk.example/late-${n}', E'Lines\\n"of", ${n}', false, 'bearish', -0.1, 'v1', timestamptz '2025-06-01Z' + ${n} * interval '1 day', now())
     on conflict do nothing`,
  () => `delete from news_items where published_at < '2026-01-01Z'`,
  // Rewritten without a change.
  () => `update coins set rank = rank`,
]

const day = (n: number) => `timestamptz '2026-01-01Z' + ${n % 90} * interval '1 day'`

import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { identifyAssets } from '../../db/exchanges/assets.ts'
import { storeBalances } from '../../db/exchanges/balances.ts'
import {
  acceptCredentials,
  completeExchangeSync,
  failExchangeSync,
  refuseCredentials,
} from '../../db/exchanges/connections.ts'
import { importTransactions, readAgain, storePage, type TransactionRow } from '../../db/exchanges/cursors.ts'
import { deriveLegs } from '../../db/exchanges/derive-legs.ts'
import { priceLegs, repriceLegs } from '../../db/exchanges/price-legs.ts'
import { createAccount } from '../../db/metering/write.ts'
import { transact } from '../../db/transact.ts'
import { changedRows } from '../setup/changed-rows.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin, insertPrices } from '../setup/factories.ts'
import { query } from '../setup/query.ts'

// What is written for one exchange account changes no row of another, nor other rows of its own.

const database = await testDatabase()
const owner = openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'test' })
afterAll(owner.close)
const run = <Row extends object>(text: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, text, values)
const at = (text: string) => new Date(`2026-03-${text}Z`)
const NOW = at('10T00:00:00')

/** Three accounts with equal rows: two at one exchange, and one at another. */
const NAMES = { own: randomUUID(), other: randomUUID(), elsewhere: randomUUID() }
const { own } = NAMES
const pool = owner.pool

beforeAll(async () => {
  await insertCoin(owner.db, { id: 'bitcoin', symbol: 'btc', rank: 1, at: NOW })
  await insertPrices(owner.db, {
    coinId: 'bitcoin',
    resolution: 'hour',
    points: [[at('01T00:00:00'), '50000']],
  })
  for (const [name, id] of Object.entries(NAMES)) {
    const { accountId } = await createAccount(owner.db, { name, plan: 'pro' })
    const venue = name === 'elsewhere' ? 'kraken' : 'binance'
    await run(
      `insert into exchange_connections (id, account_id, venue, fingerprint, version, active_version)
       values ($1, $2, $3, $4, 4, 2)`,
      [id, accountId, venue, createHash('sha256').update(id).digest()],
    )
    await run(`insert into portfolios (id, account_id, kind) values ($1, $2, 'exchange')`, [id, accountId])
    await run(
      `insert into exchange_secrets (connection_id, version, account_id, key_id, wrapped_key, ciphertext)
       select $1, version, $2, 'key', '', '' from generate_series(2, 4) as version`,
      [id, accountId],
    )
    await run(
      `insert into exchange_balances (connection_id, asset, amount, source, fetched_at)
       values ($1, 'BTC', 1, 'test', $2), ($1, 'EUR', 1, 'test', $2)`,
      [id, NOW],
    )
    await run(
      `insert into exchange_cursors (connection_id, stream, symbol, position, complete_at)
       values ($1, 'fills', 'BTC', '1', $2), ($1, 'fills', 'EUR', '1', $2), ($1, 'dust', 'BTC', '1', $2)`,
      [id, at('01T00:00:00')],
    )
    await run(
      `insert into exchange_transactions (connection_id, kind, key, at, status, type, asset, amount, source, fetched_at)
       values ($1, 'deposit', 'first', $2, 'ok', 'deposit', 'BTC', 0.25, 'test', $4),
         ($1, 'deposit', 'second', $3, 'ok', 'deposit', 'BTC', 0.5, 'test', $4),
         ($1, 'deposit', 'third', $4, 'ok', 'deposit', 'BTC', 0.25, 'test', $4)`,
      [id, at('02T00:00:00'), at('03T00:00:00'), at('03T06:00:00')],
    )
    await run(
      `insert into transaction_parts (connection_id, kind, key, part, role, source, fetched_at)
       values ($1, 'deposit', 'first', 0, 'airdrop', 'operator', $2)`,
      [id, NOW],
    )
    await run(
      `with book as (insert into books (connection_id) values ($1) returning id)
       insert into pl_states (book_id) select id from book`,
      [id],
    )
    await deriveLegs(pool, { connectionId: id, statedAt: NOW })
  }
})

/** What is written, and what names a row. */
const TABLES = {
  exchange_connections: 'id',
  exchange_secrets: `connection_id || ' version ' || version`,
  exchange_balances: `connection_id || ' holds ' || asset`,
  exchange_cursors: `concat_ws(' ', connection_id, stream, symbol)`,
  exchange_assets: `venue || ' ' || asset`,
  exchange_transactions: `connection_id || ' ' || key`,
  exchange_legs: `concat_ws(' ', connection_id, 'leg of', key)`,
  portfolios: `id || ' portfolio'`,
  scopes: `(select name || ' total' from accounts where id = account_id)`,
  pl_states: `(select connection_id || ' figures' from books where id = book_id)`,
}

const offer = (version: number) =>
  run(
    `insert into exchange_secrets (connection_id, version, account_id, key_id, wrapped_key, ciphertext)
     select id, $2, account_id, 'key', '', '' from exchange_connections where id = $1`,
    [own, version],
  )
const accept = (version: number) =>
  transact(pool, ({ client }) => acceptCredentials(client, { connectionId: own, version }))

/** The changed rows, once each, with the name of the account for its id. */
async function changed(work: () => Promise<unknown>): Promise<string[]> {
  const rows = await changedRows(database, TABLES, work)
  const named = (row: string) =>
    Object.entries(NAMES).reduce((text, [name, id]) => text.replace(id, name), row)
  return [...new Set(rows.map(named))].sort()
}

const row = (key: string): TransactionRow => ({
  kind: 'deposit',
  key,
  at: at('04T00:00:00'),
  status: 'ok',
  type: 'deposit',
  symbol: null,
  order_id: null,
  asset: 'BTC',
  amount: '1',
  quote_asset: null,
  quote_amount: null,
  fee_asset: null,
  fee_amount: null,
  network: null,
  address: null,
  tx_hash: null,
})
const page = (rows: TransactionRow[], before: unknown, completeAt: Date | null = null) =>
  storePage(pool, {
    connectionId: own,
    source: 'test',
    fetchedAt: NOW,
    rows,
    before,
    cursor: { stream: 'fills', symbol: 'BTC', position: 2, completeAt },
  })

/** In an order in which each of it changes something. */
const DONE: readonly (readonly [what: string, work: () => Promise<unknown>, changed: string[]])[] = [
  [
    'an asset is identified: all accounts at the exchange count again',
    () => transact(pool, ({ client }) => identifyAssets(client, { connectionId: own, at: NOW })),
    ['binance BTC', 'binance EUR', 'other figures', 'own figures'],
  ],
  [
    'legs without a price are priced',
    () => priceLegs(owner.db, own),
    ['own leg of first', 'own leg of second', 'own leg of third'],
  ],
  [
    'legs of a time are priced again',
    async () => {
      await run(`update price_hours set usd = 60000`)
      await repriceLegs(owner.db, { connectionId: own, from: at('03T00:00:00'), to: '2026-03-03T00:00:00Z' })
    },
    ['own leg of second'],
  ],
  [
    'a part is corrected',
    () => run(`update transaction_parts set role = 'reward' where connection_id = $1`, [own]),
    ['own figures'],
  ],
  [
    'balances are stored',
    () =>
      transact(pool, ({ client }) =>
        storeBalances(client, {
          connectionId: own,
          balances: [{ asset: 'BTC', amount: '3' }],
          source: 'test',
          fetchedAt: NOW,
        }),
      ),
    ['own holds BTC', 'own holds EUR'],
  ],
  ['a page is stored', () => page([row('fourth')], 1), ['own fills BTC', 'own fourth']],
  ['a page that another read before is stored', () => page([row('fifth')], 1), ['own fifth']],
  ['the last page of a list is stored', () => page([], 2, NOW), ['own fills BTC']],
  [
    'the first page of a list is stored',
    () => page([], null, NOW),
    // Another sync read it meanwhile.
    [],
  ],
  [
    'transactions are imported: stored ones stay',
    () =>
      transact(pool, ({ client }) =>
        importTransactions(client, {
          connectionId: own,
          source: 'file',
          fetchedAt: NOW,
          rows: [{ ...row('fourth'), amount: '9' }, row('sixth')],
        }),
      ),
    ['own sixth'],
  ],
  [
    'legs are derived',
    () => deriveLegs(pool, { connectionId: own, statedAt: NOW }),
    // The legs of the second have the newest price already.
    ['first', 'third', 'fourth', 'fifth', 'sixth', 'EUR', 'BTC:unseen']
      .flatMap((key) => [`own ${key}`, `own leg of ${key}`])
      .concat('own second', 'own figures'),
  ],
  ['a sync is complete', () => completeExchangeSync(pool, { connectionId: own, coveredTo: NOW }), ['own']],
  ['a sync fails', () => failExchangeSync(pool, { connectionId: own, failure: 'broken' }), ['own']],
  [
    'credentials are refused: those in use stay',
    () => refuseCredentials(pool, { connectionId: own, version: 2, refusal: 'expired' }),
    ['own'],
  ],
  [
    'offered credentials are refused',
    () => refuseCredentials(pool, { connectionId: own, version: 4, refusal: 'may trade' }),
    ['own', 'own version 4'],
  ],
  [
    'credentials are refused after newer ones: the newer refusal stays',
    () => refuseCredentials(pool, { connectionId: own, version: 3, refusal: 'may trade' }),
    ['own version 3'],
  ],
  [
    'credentials are accepted: they replace earlier ones',
    async () => {
      await run(`update exchange_connections set name = 'Mine' where id = $1`, [own])
      await offer(5)
      expect(await accept(5)).toBe(true)
    },
    ['own', 'own portfolio', 'own version 2', 'own version 5'],
  ],
  ['accepted credentials are accepted again', async () => expect(await accept(5)).toBe(true), []],
  ['credentials are accepted after newer ones', async () => expect(await accept(4)).toBe(false), []],
  [
    'credentials of a portfolio that its owner gave up are accepted: it stays given up',
    async () => {
      await run(`update exchange_connections set name = 'Again' where id = $1`, [own])
      await run('update portfolios set account_id = null where id = $1', [own])
      expect(await accept(5)).toBe(true)
      const [kept] = await run<{ name: string }>('select name from portfolios where id = $1', [own])
      expect(kept).toEqual({ name: 'Mine' })
    },
    ['own', 'own portfolio'],
  ],
  [
    'credentials are accepted for the first time: the total of the account counts again',
    async () => {
      await run('delete from portfolios where id = $1', [own])
      expect(await accept(5)).toBe(true)
    },
    ['own portfolio', 'own total'],
  ],
  [
    'lists are read again: those of all accounts at the exchange',
    () => readAgain(owner.db, 'binance'),
    ['own', 'other'].flatMap((name) => [`${name} dust BTC`, `${name} fills BTC`, `${name} fills EUR`]),
  ],
]

test.each(DONE)('%s', async (_, work, rows) => {
  await run('update pl_states set dirty_from = null, legs_changed = false')
  expect(await changed(work)).toEqual([...rows].sort())
})

test('legs that no other account has are priced too', async () => {
  await run(`update exchange_legs set price_usd = null where connection_id = $1 and key = 'fourth'`, [own])
  expect(await changed(() => priceLegs(owner.db, own))).toEqual(['own leg of fourth'])
})

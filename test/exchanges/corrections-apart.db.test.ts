import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { createAccount } from '../../db/metering/write.ts'
import {
  labelExchange,
  moveExchange,
  splitExchange,
  undoExchange,
} from '../../db/portfolios/correct-exchange.ts'
import { changedRows } from '../setup/changed-rows.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

// A correction of one transaction changes no part of another that differs in its account, kind or key alone.

const NOW = new Date('2026-03-10T00:00:00Z')
const database = await testDatabase()
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(owner.close)
const run = (text: string, values: unknown[] = []) => query(database.ownerUrl, text, values)

const { accountId } = await createAccount(owner.db, { name: 'test', plan: 'pro' })
async function newPortfolio(kind: 'exchange' | 'manual'): Promise<string> {
  const id = randomUUID()
  if (kind === 'exchange')
    await run(
      `insert into exchange_connections (id, account_id, venue, fingerprint, version) values ($1, $2, 'binance', $3, 1)`,
      [id, accountId, randomBytes(32)],
    )
  await run('insert into portfolios (id, account_id, kind) values ($1, $2, $3)', [id, accountId, kind])
  return id
}
const [own, other, manual] = [
  await newPortfolio('exchange'),
  await newPortfolio('exchange'),
  await newPortfolio('manual'),
]
const one = { portfolioId: own, kind: 'deposit', key: 'one' }

/** Each with a rest and a part. That of `one` has the lowest number. */
beforeEach(async () => {
  await run('delete from transaction_parts')
  await run('delete from exchange_transactions')
  for (const [connection, kind, key, part] of [
    [own, 'deposit', 'one', 1],
    [own, 'deposit', 'two', 2],
    [own, 'withdrawal', 'one', 3],
    [other, 'deposit', 'one', 4],
  ] as const) {
    await run(
      `insert into exchange_transactions (connection_id, kind, key, at, status, type, asset, amount, source, fetched_at)
       values ($1, $2, $3, $4, 'ok', 'deposit', 'ETH', 4, 'test', $4)`,
      [connection, kind, key, NOW],
    )
    await run(
      `insert into transaction_parts (connection_id, kind, key, part, share, role, source, fetched_at)
       select $1, $2, $3, part, nullif(part, 0) * 0.2, 'airdrop', 'operator', $4 from unnest(array[0, $5::int]) as part`,
      [connection, kind, key, NOW, part],
    )
  }
})

const TABLES = { transaction_parts: `connection_id || ' ' || kind || ' ' || key || ' ' || part` }
const changed = async (work: () => Promise<unknown>) =>
  [...new Set(await changedRows(database, TABLES, work))].toSorted()
const OF_ONE = [0, 1, 2].map((part) => `${own} deposit one ${part}`)

test.each([
  ['a label', [OF_ONE[1]], () => labelExchange(owner.db, { ...one, part: 1, role: 'reward', now: NOW })],
  ['another portfolio', [OF_ONE[1]], () => moveExchange(owner.db, { ...one, part: 1, to: manual, now: NOW })],
  ['a part more', [OF_ONE[2]], () => splitExchange(owner.db, { ...one, count: '3', now: NOW })],
  ['none any more', OF_ONE.slice(0, 2), () => undoExchange(owner.db, one)],
] as const)('%s: parts of other transactions stay', async (_, expected, work) => {
  expect(await changed(work)).toEqual(expected)
})

test('what is left to split off is that of the transaction, and its parts are numbered from its own', async () => {
  // 0.8 ETH of the 4 are in another part.
  const split = (count: string) => splitExchange(owner.db, { ...one, count, now: NOW })
  expect(await split('3.2')).toMatchObject({ refusal: expect.stringContaining('a part must remain') })
  expect(await split('3.1')).toEqual({ part: 2 })
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { countAccounts } from '../../db/exchanges/count-for-plan.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()

test('of each account the lists count that every sync reads: markets without fills do not', async () => {
  const { db, close } = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
  const [account] = await query<{ id: string }>(
    database.ownerUrl,
    `insert into accounts (name, plan) values ('one', 'pro') returning id`,
  )
  const connect = async (venue: string, activeVersion: number | null, lists: Record<string, number>) => {
    const id = randomUUID()
    await query(
      database.ownerUrl,
      `insert into exchange_connections (id, account_id, venue, fingerprint, version, active_version)
       values ($1::uuid, $2, $3, sha256(convert_to($1::text, 'utf8')), 1, $4)`,
      [id, account!.id, venue, activeVersion],
    )
    for (const [symbol, rows] of Object.entries(lists))
      await query(
        database.ownerUrl,
        `insert into exchange_cursors (connection_id, stream, symbol, position, rows) values ($1, 'fills', $2, '{}', $3)`,
        [id, symbol, rows],
      )
  }
  await connect('binance', 1, { '': 0, 'BTC/USDT': 4, 'SOL/USDT': 2, 'ETH/USDT': 0 })
  await connect('binance', 1, { '': 3 })
  await connect('kraken', 1, {})
  await connect('okx', null, { '': 5 })
  expect(await countAccounts(db)).toEqual([
    { exchange: 'binance', accounts: 2, lists: 4 },
    { exchange: 'kraken', accounts: 1, lists: 0 },
  ])
  await close()
})

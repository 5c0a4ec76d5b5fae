import { expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { countForPlan } from '../../db/risk/count-for-plan.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const run = (sql: string) => query(database.ownerUrl, sql)

test('contracts of listed coins and tokens that were asked for count once, on networks that are checked', async () => {
  const address = (n: number) => `0x${String(n).padStart(40, '0')}`
  const mint = 'So11111111111111111111111111111111111111112'
  await run(
    `insert into coins (id, symbol, name, slug, delisted_at, last_seen_at, source, fetched_at)
     values ('listed', 'L', 'L', 'l', null, now(), 'test', now()), ('gone', 'G', 'G', 'g', now(), now(), 'test', now())`,
  )
  await run(
    `insert into coin_contracts (blockchain, address, coin_id, source, fetched_at)
     values ('ethereum', '${address(1)}', 'listed', 'test', now()), ('ethereum', '${address(2)}', 'gone', 'test', now()),
       ('solana', '${mint}', 'listed', 'test', now()), ('bitcoin', '${address(3)}', 'listed', 'test', now()),
       ('ethereum', 'no address', 'listed', 'test', now())`,
  )
  await run(
    `insert into token_risks (blockchain, address, known, source, fetched_at, checked_at)
     values ('ethereum', '${address(1)}', true, 'test', now(), now()), ('ethereum', '${address(4)}', false, 'test', now(), now())`,
  )
  const { db, close } = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
  expect(await countForPlan(db)).toEqual({ 'tokens on EVM networks': 2, 'tokens on Solana': 1 })
  await close()
})

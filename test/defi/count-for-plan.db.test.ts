import { expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { countHolders } from '../../db/defi/count-for-plan.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const run = (sql: string) => query(database.ownerUrl, sql)

test('wallets with positions count on active networks alone', async () => {
  await run(`update networks set active = id in ('ethereum', 'base-wallet')`)
  await run(`insert into wallets (address) values ('a'), ('b'), ('c')`)
  await run(
    `insert into defi_reads (wallet_id, network_id, source, is_holder)
     select id, network, 'test', address <> 'c'
     from wallets, unnest(array['ethereum', 'base-wallet', 'polygon-wallet']) as network
     where network <> 'base-wallet' or address <> 'b'`,
  )
  const { db, close } = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
  expect(await countHolders(db)).toEqual([
    { networkId: 'base-wallet', holders: 1 },
    { networkId: 'ethereum', holders: 2 },
  ])
  await close()
})

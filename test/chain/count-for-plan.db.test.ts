import { expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { countForPlan } from '../../db/chain/count-for-plan.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const run = (sql: string) => query(database.ownerUrl, sql)

test('wallets count on active networks alone, with what is read of each separately', async () => {
  await run(`update networks set active = id in ('ethereum', 'bitcoin')`)
  await run(`insert into wallets (address) values ('a'), ('b'), ('c')`)
  await run(
    `insert into wallet_syncs (wallet_id, network_id, head_block, synced_at)
     select wallets.id, network, 1, case when address = 'a' then now() end
     from wallets, unnest(array['ethereum', 'bitcoin', 'solana']) as network
     where network <> 'ethereum' or address <> 'c'`,
  )
  // Two addresses of an extended key, another address, and an account of a network that is not active.
  await run(
    `insert into wallet_accounts (wallet_id, network_id, account, role, source, fetched_at)
     select id, network, account, role, 'test', now()
     from wallets join (values ('a', 'bitcoin', 'one', 'address'), ('a', 'bitcoin', 'other', 'address'),
       ('b', 'bitcoin', 'b', 'wallet'), ('a', 'solana', 'sol', 'token')) as part (owner, network, account, role)
       on part.owner = address`,
  )
  const { db, close } = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
  expect(await countForPlan(db)).toEqual([
    { networkId: 'bitcoin', wallets: 3, unread: 2, accounts: 3, keys: 1 },
    { networkId: 'ethereum', wallets: 2, unread: 1, accounts: 0, keys: 0 },
  ])
  await close()
})

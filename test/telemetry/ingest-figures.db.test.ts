import { Registry } from 'prom-client'
import { afterAll, expect, test } from 'vitest'
import { measureIngest } from '../../activities/measure-ingest.ts'
import { openDb } from '../../db/connect.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const { db, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
afterAll(close)

const registry = new Registry()
const refresh = measureIngest({ db, registry, sources: () => [], now: () => new Date() })

async function figures(name: string): Promise<string[]> {
  await refresh()
  return (await registry.metrics()).split('\n').filter((line) => line.startsWith(`sluice_${name}`))
}

test('the figure of a held branch is 1 as long as the follower stays on it, and 0 for other followers', async () => {
  expect(await figures('network_branch_held')).toEqual([])
  await query(
    database.ownerUrl,
    `insert into network_follows (network_id, mode, node, held_until) values
       ('ethereum', 'blocks', 'a', now() + interval '9 minutes'), ('base-wallet', 'blocks', 'b', null),
       ('polygon-wallet', 'off', null, now() + interval '9 minutes')`,
  )
  const held = (value: number) => `sluice_network_branch_held{network="ethereum"} ${value}`
  const other = 'sluice_network_branch_held{network="base-wallet"} 0'
  expect((await figures('network_branch_held')).toSorted()).toEqual([other, held(1)])
  await query(
    database.ownerUrl,
    `update network_follows set held_until = now() where network_id = 'ethereum'`,
  )
  expect((await figures('network_branch_held')).toSorted()).toEqual([other, held(0)])
  await query(
    database.ownerUrl,
    `insert into network_rewinds (network_id, at, block_number, blocks) values
       ('ethereum', now() - interval '2 days', 9, 1), ('ethereum', now() - interval '2 hours', 10, 2)`,
  )
  expect(await figures('network_rewinds_24h{network="ethereum"}')).toEqual([
    'sluice_network_rewinds_24h{network="ethereum"} 1',
  ])
})

test('exchange accounts whose key was not accepted yet are no syncs', async () => {
  const [account] = await query<{ id: string }>(
    database.ownerUrl,
    `insert into accounts (name, plan) values ('test', 'free') returning id`,
  )
  await query(
    database.ownerUrl,
    `insert into exchange_connections (id, account_id, venue, fingerprint, version, active_version, synced_at)
     values (uuidv7(), $1, 'kraken', sha256('a'), 1, 1, now()), (uuidv7(), $1, 'kraken', sha256('b'), 1, null, null),
       (uuidv7(), $1, 'okx', sha256('c'), 1, null, null)`,
    [account!.id],
  )
  expect(await figures('syncs{area="exchanges"')).toEqual([
    'sluice_syncs{area="exchanges",of="kraken",state="fresh"} 1',
    'sluice_syncs{area="exchanges",of="kraken",state="late"} 0',
    'sluice_syncs{area="exchanges",of="kraken",state="failed"} 0',
    'sluice_syncs{area="exchanges",of="kraken",state="pending"} 0',
  ])
})

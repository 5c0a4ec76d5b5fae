import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startTemporaryPostgres } from '../../cli/postgres/temporary-postgres.ts'
import { createAccount } from '../../db/metering/write.ts'
import { createRandom } from '../../sandbox/chain/random.ts'
import { syncDirectly, testNetwork } from '../chain/sync-directly.ts'
import { deriveAll as deriveDirectly } from '../derive/derive-directly.ts'
import { chainRows, emptyTables, follow, NETWORK, track } from '../follow/follow-directly.ts'
import { memoryNode } from '../follow/memory-node.ts'
import { fundedChain, mineRandom, PEOPLE, WALLETS } from '../follow/random-chain.ts'
import { crashDatabase } from './crash-database.ts'
import { eventTables } from './event-tables.ts'
import { survive } from './killable-process.ts'

// Processes that follow and derive are killed at each of their commits, on a chain with reorgs. In a second database the
// same is done undisturbed.

const FOLLOW_PROCESS = join(import.meta.dirname, 'follow-process.ts')
const DERIVE_PROCESS = join(import.meta.dirname, 'derive-process.ts')
const { reorgDepth } = NETWORK
const STAGES = 6
const postgres = await startTemporaryPostgres({ inMemory: true })
const killed = await crashDatabase(postgres, 'killed')
const undisturbed = await crashDatabase(postgres, 'undisturbed')
const both = [killed, undisturbed]
afterAll(async () => {
  await Promise.all(both.map(({ close }) => close()))
  await postgres.stop()
})
let kills = 0

test.each([1, 2, 3, 4, 5])(
  'E3 case 26, seed %i: killed before and after each commit, follower and derive loop leave the rows of undisturbed ones',
  async (seed) => {
    const startMs = Date.now()
    const random = createRandom(seed)
    const chance = { random: () => random.next(), failing: PEOPLE }
    const node = memoryNode(fundedChain())
    const mine = (blocks: number) => {
      for (let i = 0; i < blocks; i++) mineRandom(node.chain, chance)
    }
    mine(reorgDepth + 10)
    const server = await node.serve()
    for (const { owner, pool } of both) {
      await emptyTables(owner.pool)
      await owner.pool.query('truncate accounts, event_sources, unconfirmed_transactions cascade')
      await track(pool, ...WALLETS.slice(0, 3))
      await watchAll(owner)
    }
    let died = 0
    const plan = () => ({ databaseUrl: killed.database.ingestUrl, nodeUrl: server.url })
    const networks = await Promise.all(
      both.map(({ pool }) => testNetwork(pool, { networkId: NETWORK.id, url: server.url, reorgDepth })),
    )
    const syncAll = async () => {
      for (const [i, { pool }] of both.entries())
        for (const address of WALLETS) await syncDirectly({ pool, network: networks[i]!, address })
    }
    async function followAll(): Promise<void> {
      const { catchUp, step } = await follow({ pool: undisturbed.pool, node })
      await catchUp()
      await step()
      died += await survive(FOLLOW_PROCESS, plan)
      // A block that settled with the last one is confirmed with the next.
      mine(1)
      for (const { pool } of both) await (await follow({ pool, node })).catchUp()
    }
    async function deriveAll(): Promise<void> {
      await deriveDirectly({ pool: undisturbed.pool, network: networks[1]! })
      died += await survive(DERIVE_PROCESS, plan)
    }
    await followAll()
    // The history of wallets is read by syncs, and what follows is derived from the follower's rows.
    await syncAll()
    // No fork begins below a block that was final.
    let settled = 0
    for (let stage = 0; stage < STAGES; stage++) {
      const head = node.chain.head()
      settled = Math.max(settled, head - reorgDepth)
      if (random.next() < 0.7) {
        node.chain = node.chain.fork(Math.max(settled, head - 1 - random.integer(reorgDepth)), `${stage}`)
        mine(head + 1 - node.chain.head())
      }
      mine(1 + random.integer(60))
      await followAll()
      await deriveAll()
    }
    const wanted = await tablesOf(undisturbed)
    expect(await tablesOf(killed)).toEqual(wanted)
    await server.stop()
    expect(wanted['transactions']!.length).toBeGreaterThan(50)
    expect(wanted['event_sources']!.join()).toContain('"reorged"')
    kills += died
    console.log(`E3 seed ${seed}: ${died} kills in ${Math.round((Date.now() - startMs) / 1_000)} s`)
  },
)

test('E3 the processes were killed over 200 times', () => expect(kills).toBeGreaterThan(200))

/** An account that is told of all wallets. */
async function watchAll({ db, pool }: (typeof killed)['owner']): Promise<void> {
  const { accountId } = await createAccount(db, { name: 'test', plan: 'pro' })
  await pool.query('insert into event_subscriptions (account_id, wallet_id) select $1, id from wallets', [
    accountId,
  ])
}

async function tablesOf({ pool, ask }: typeof killed): Promise<Record<string, string[]>> {
  const texts = async (select: string) =>
    (await ask<{ text: string }>(`select t::text as text from (${select}) as t order by 1`)).map(
      ({ text }) => text,
    )
  return {
    ...(await chainRows(pool)),
    ...(await eventTables(ask)),
    all_blocks: await texts('select number, hash from blocks'),
    follows: await texts(
      'select cursor_block, cursor_hash, confirmed_block, head_block, mode, reason from network_follows',
    ),
    touched: await texts(
      `select address, from_block, through_block, reason from touched_wallets join wallets on wallets.id = wallet_id`,
    ),
    coverage: await texts(
      `select address, covered_from, cursor_block, normalised_block from wallet_syncs
       join wallets on wallets.id = wallet_id`,
    ),
  }
}

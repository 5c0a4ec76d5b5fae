import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startTemporaryPostgres } from '../../cli/postgres/temporary-postgres.ts'
import { createAccount } from '../../db/metering/write.ts'
import { createRandom } from '../../sandbox/chain/random.ts'
import { syncDirectly, testNetwork } from '../chain/sync-directly.ts'
import { chainRows, emptyTables, follow, NETWORK, track } from '../follow/follow-directly.ts'
import { memoryNode } from '../follow/memory-node.ts'
import { fundedChain, mineRandom, PEOPLE, WALLETS } from '../follow/random-chain.ts'
import { crashDatabase } from './crash-database.ts'
import { eventTables } from './event-tables.ts'
import { survive } from './killable-process.ts'

// A follower is killed at each of its commits, on a chain with reorgs, and a second database is followed undisturbed.

const PROCESS = join(import.meta.dirname, 'follow-process.ts')
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
  'E3 case 26, seed %i: a follower that is killed before and after each commit leaves the rows of an undisturbed one',
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
    /** The wallets are derived, so that events tell of what follows. */
    const deriveAll = async () => {
      for (const { pool } of both) {
        const network = await testNetwork(pool, { networkId: 'ethereum', url: server.url, reorgDepth })
        for (const address of WALLETS) await syncDirectly({ pool, network, address })
      }
    }
    let died = 0
    const followAll = async () => {
      const { catchUp, step } = await follow({ pool: undisturbed.pool, node })
      await catchUp()
      await step()
      died += await survive(PROCESS, () => ({ databaseUrl: killed.database.ingestUrl, nodeUrl: server.url }))
    }
    await followAll()
    // No fork begins below a block that was final.
    let settled = 0
    for (let stage = 0; stage < STAGES; stage++) {
      await deriveAll()
      const head = node.chain.head()
      settled = Math.max(settled, head - reorgDepth)
      if (random.next() < 0.7) {
        node.chain = node.chain.fork(Math.max(settled, head - 1 - random.integer(reorgDepth)), `${stage}`)
        mine(head + 1 - node.chain.head())
      }
      mine(1 + random.integer(60))
      await followAll()
    }
    // With the next block a follower has confirmed what it found at the head.
    mine(1)
    for (const { pool } of both) await (await follow({ pool, node })).catchUp()
    const wanted = await tablesOf(undisturbed)
    expect(await tablesOf(killed)).toEqual(wanted)
    await deriveAll()
    expect(await tablesOf(killed)).toEqual(await tablesOf(undisturbed))
    await server.stop()
    expect(wanted['transactions']!.length).toBeGreaterThan(50)
    expect(wanted['event_sources']!.join()).toContain('"reorged"')
    kills += died
    console.log(`E3 seed ${seed}: ${died} kills in ${Math.round((Date.now() - startMs) / 1_000)} s`)
  },
)

test('E3 the followers were killed over 200 times', () => expect(kills).toBeGreaterThan(200))

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

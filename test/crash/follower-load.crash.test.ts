import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startTemporaryPostgres } from '../../cli/postgres/temporary-postgres.ts'
import { createRandom } from '../../sandbox/chain/random.ts'
import { chainRows, follow, NETWORK } from '../follow/follow-directly.ts'
import { memoryNode } from '../follow/memory-node.ts'
import { address } from '../setup/wallet-factories.ts'
import { createMemoryChain, tokenTransfer } from '../upstreams/nodes/chain.ts'
import { crashDatabase } from './crash-database.ts'
import { runKillable } from './killable-process.ts'

// A follower of 100,000 addresses is killed at random moments while the chain grows and forks.

const PROCESS = join(import.meta.dirname, 'follow-process.ts')
const SEED = Number(process.env['CRASH_SEED'] ?? 7)
const ADDRESSES = 100_000
const KILLS = 20
const NEVER = { number: 0, moment: 'before' }
const { reorgDepth } = NETWORK
const [payer, token] = [address(ADDRESSES + 1), address(ADDRESSES + 2)]

const postgres = await startTemporaryPostgres({ inMemory: true })
const killed = await crashDatabase(postgres, 'killed')
const undisturbed = await crashDatabase(postgres, 'undisturbed')
const both = [killed, undisturbed]
afterAll(async () => {
  await Promise.all(both.map(({ close }) => close()))
  await postgres.stop()
})

test(`E3 case 26 a follower of ${ADDRESSES} addresses, killed ${KILLS} times at random, leaves the rows of an undisturbed one`, async () => {
  const random = createRandom(SEED)
  const node = memoryNode(createMemoryChain({ funds: { [payer]: 10n ** 30n } }))
  const someone = () => address(1 + random.integer(ADDRESSES))
  const mine = (blocks: number) => {
    for (let i = 0; i < blocks; i++)
      node.chain.mine(
        ...Array.from({ length: 20 }, () => ({ from: payer, to: someone(), value: 1n })),
        ...Array.from({ length: 10 }, () => ({
          ...tokenTransfer({ token, from: someone(), to: someone(), raw: 1n }),
          from: payer,
        })),
      )
  }
  mine(reorgDepth + 5)
  const server = await node.serve()
  for (const { owner } of both) await trackMany(owner.pool)
  const plan = { databaseUrl: killed.database.ingestUrl, nodeUrl: server.url, point: NEVER }
  const startMs = Date.now()
  await runKillable({ file: PROCESS, plan })
  const runMs = Date.now() - startMs
  const steady = await follow({ pool: undisturbed.pool, node })
  await steady.catchUp()

  let [kills, midway, forks, settled] = [0, 0, 0, 0]
  while (kills < KILLS) {
    const head = node.chain.head()
    settled = Math.max(settled, head - reorgDepth)
    if (random.next() < 0.3) {
      node.chain = node.chain.fork(Math.max(settled, head - 1 - random.integer(reorgDepth)), `${forks++}`)
      mine(head + 1 - node.chain.head())
    }
    mine(1 + random.integer(15))
    await steady.catchUp()
    const before = await cursorOf(killed)
    // It takes the first part of a run to start.
    const { died } = await runKillable({ file: PROCESS, plan, killAfterMs: runMs * random.between(0.3, 1.1) })
    if (!died) continue
    kills++
    const after = await cursorOf(killed)
    if (after > before && after < node.chain.head()) midway++
  }
  mine(1)
  await runKillable({ file: PROCESS, plan })
  await steady.catchUp()
  console.log(
    `E3 seed ${SEED}: ${kills} kills, ${midway} of them between the first and the last commit, ${forks} forks, ${node.chain.head()} blocks in ${Math.round((Date.now() - startMs) / 1_000)} s`,
  )
  await server.stop()

  const rows = await chainRows(killed.pool)
  expect(rows).toEqual(await chainRows(undisturbed.pool))
  expect(rows['transfers']!.length).toBeGreaterThan(1_000)
  expect(forks).toBeGreaterThan(2)
  const cursor = 'select cursor_block, cursor_hash, confirmed_block, mode, reason from network_follows'
  expect(await killed.ask(cursor)).toEqual(await undisturbed.ask(cursor))
  const coverage = 'select covered_from, count(*) from wallet_syncs group by 1'
  expect(await killed.ask(coverage)).toEqual(await undisturbed.ask(coverage))
  // Whoever has rows is to be derived from the first of them on.
  const forgotten = `select from transfers join wallets on wallets.address in (from_address, to_address)
    where not exists (select from touched_wallets
      where wallet_id = wallets.id and block_number between from_block and through_block)`
  expect(await killed.ask(forgotten)).toEqual([])
})

async function cursorOf({ ask }: typeof killed): Promise<number> {
  const [follow] = await ask<{ cursor: number }>(
    'select cursor_block::integer as cursor from network_follows',
  )
  return follow!.cursor
}

async function trackMany(pool: (typeof killed)['owner']['pool']): Promise<void> {
  await pool.query(
    `insert into wallets (address) select '0x' || lpad(to_hex(n), 40, '0') from generate_series(1, $1::integer) as n`,
    [ADDRESSES],
  )
  await pool.query(`insert into wallet_syncs (wallet_id, network_id) select id, 'ethereum' from wallets`)
  await pool.query('analyze wallets, wallet_syncs')
}

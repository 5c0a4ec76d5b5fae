import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startTemporaryPostgres } from '../../cli/postgres/temporary-postgres.ts'
import { createAccount } from '../../db/metering/write.ts'
import { createRandom } from '../../sandbox/chain/random.ts'
import { testNetwork } from '../chain/sync-directly.ts'
import { deriveAll } from '../derive/derive-directly.ts'
import { type EventStep, runEventStep } from '../events/event-steps.ts'
import { startReceiver } from '../events/receiver.ts'
import { sealingKey, webhookWorld } from '../events/webhook-world.ts'
import { chainRows, follow, NETWORK } from '../follow/follow-directly.ts'
import { memoryNode } from '../follow/memory-node.ts'
import { address } from '../setup/wallet-factories.ts'
import { createMemoryChain, tokenTransfer } from '../upstreams/nodes/chain.ts'
import { crashDatabase } from './crash-database.ts'
import { eventTables } from './event-tables.ts'
import { runKillable } from './killable-process.ts'

// Processes that follow 100,000 addresses, derive them, publish their events and deliver them are killed at random
// moments while the chain grows and forks. In a second database the same is done undisturbed.

const FILES = { follow: 'follow-process.ts', derive: 'derive-process.ts', event: 'event-process.ts' }
const SEED = Number(process.env['CRASH_SEED'] ?? 7)
const ADDRESSES = 100_000
const ROUNDS = 5
const KILLS_A_ROUND = 4
const POINT = { number: 0, moment: 'before' }
const { id: networkId, reorgDepth } = NETWORK
const [payer, token] = [address(ADDRESSES + 1), address(ADDRESSES + 2)]

const postgres = await startTemporaryPostgres({ inMemory: true })
afterAll(() => postgres.stop())
const receiver = await startReceiver()
const [killed, undisturbed] = [await newWorld('killed'), await newWorld('undisturbed')]
const both = [killed, undisturbed]

async function newWorld(name: string) {
  const { close, ...world } = await crashDatabase(postgres, name)
  afterAll(close)
  return { ...(await webhookWorld(world.database, receiver)), ...world }
}

test(`E2, E3 cases 26, 39: with ${ADDRESSES} addresses, processes that are killed at random at each step leave the rows of undisturbed ones`, async () => {
  const startMs = Date.now()
  const random = createRandom(SEED)
  const node = memoryNode(createMemoryChain({ funds: { [payer]: 10n ** 30n } }))
  const someone = () => address(1 + random.integer(ADDRESSES))
  const pay = () => ({ from: payer, to: someone(), value: 1n })
  /** Mints to one and moves on to another. */
  const move = () => {
    const [through, to] = [someone(), someone()]
    const mint = tokenTransfer({ token, from: `0x${'0'.repeat(40)}`, to: through, raw: 1n })
    const moved = tokenTransfer({ token, from: through, to, raw: 1n })
    return { ...moved, from: payer, logs: [...mint.logs!, ...moved.logs!] }
  }
  const mine = (blocks: number) => {
    for (let i = 0; i < blocks; i++)
      node.chain.mine(...Array.from({ length: 14 }, pay), ...Array.from({ length: 6 }, move))
  }
  for (let i = 0; i < reorgDepth + 5; i++) node.chain.mine()
  const server = await node.serve()
  for (const { owner } of both) await trackMany(owner.pool, node.chain.head() - reorgDepth - 1)
  for (const world of both) await watchAll(world)
  receiver.answer(() => 204)
  const [, network] = await Promise.all(
    both.map(({ pool }) => testNetwork(pool, { networkId, url: server.url, reorgDepth })),
  )
  const steady = await follow({ pool: undisturbed.pool, node })
  const kills: Record<string, number> = {}
  const aims: Record<string, number> = {}

  const begin = (file: string, { killAfterMs, ...plan }: { killAfterMs?: number; nodeUrl?: string }) =>
    runKillable({
      file: join(import.meta.dirname, file),
      plan: { databaseUrl: killed.database.ingestUrl, point: POINT, ...plan },
      ...(killAfterMs !== undefined && { killAfterMs }),
    })
  /** Kills processes that do the same work, and lets the last one reach its end. Aims at the time that they take. */
  async function survive(name: string, file: string, plan: () => object): Promise<void> {
    for (let i = 0; i < KILLS_A_ROUND; i++) {
      const aimMs = aims[name] ?? startsMs
      const { died } = await begin(file, { ...plan(), killAfterMs: aimMs * random.between(0.5, 1.2) })
      if (died) kills[name] = (kills[name] ?? 0) + 1
      aims[name] = aimMs * (died ? 1.2 : 0.6)
    }
    await begin(file, plan())
  }
  const atNode = () => ({ nodeUrl: server.url })
  async function happens(step: EventStep): Promise<void> {
    await survive(step.kind, FILES.event, () => {
      // What a killed process had taken is free again after a minute.
      killed.pass(61_000)
      const aheadMs = killed.deps.now().getTime() - Date.now()
      return { receiver: new URL(receiver.url).host, sealingKey, aheadMs, step }
    })
    await runEventStep(undisturbed.deps, step)
  }

  await begin(FILES.follow, atNode())
  await steady.catchUp()
  const beginMs = Date.now()
  await begin(FILES.derive, atNode())
  // Nothing is to be derived yet: so long a process takes to start.
  const startsMs = Date.now() - beginMs
  let [forks, settled] = [0, 0]
  for (let round = 0; round < ROUNDS; round++) {
    const head = node.chain.head()
    settled = Math.max(settled, head - reorgDepth)
    if (round > 0) {
      node.chain = node.chain.fork(Math.max(settled, head - 1 - random.integer(reorgDepth)), `${forks++}`)
      mine(head + 1 - node.chain.head())
    }
    mine(3 + random.integer(8))
    await survive('follow', FILES.follow, atNode)
    // A block that settled with the last one is confirmed with the next.
    mine(1)
    for (const { pool } of both) await (await follow({ pool, node })).catchUp()
    await survive('derive', FILES.derive, atNode)
    await deriveAll({ pool: undisturbed.pool, network: network! })
    await happens({ kind: 'publish' })
    await happens({ kind: 'deliver' })
  }
  await server.stop()
  console.log(
    `E3 seed ${SEED}: ${JSON.stringify(kills)} kills, ${forks} forks, ${node.chain.head()} blocks in ${Math.round((Date.now() - startMs) / 1_000)} s`,
  )

  const rows = await tablesOf(undisturbed)
  expect(await tablesOf(killed)).toEqual(rows)
  expect(rows['wallet_transactions']!.length).toBeGreaterThan(500)
  expect(rows['account_events']!.join()).toContain('"reorged"')
  const arrived = new Set(receiver.got.map(({ body }) => body))
  const sent = await killed.ask<{ body: string; isHeld: boolean }>(
    'select body, held as "isHeld" from account_events',
  )
  expect(sent.filter(({ body, isHeld }) => isHeld || !arrived.has(body))).toEqual([])
  for (const step of ['follow', 'derive', 'publish', 'deliver']) expect(kills[step]).toBeGreaterThan(ROUNDS)
})

/** All wallets of a network, without a transaction up to the block, and with their history complete. */
async function trackMany(pool: (typeof killed)['owner']['pool'], complete: number): Promise<void> {
  await pool.query(
    `insert into wallets (address) select '0x' || lpad(to_hex(n), 40, '0') from generate_series(1, $1::integer) as n`,
    [ADDRESSES],
  )
  await pool.query(
    `insert into wallet_syncs (wallet_id, network_id, cursor_block, normalised_block, head_block, synced_at)
     select id, $1, $2, $2, $2, now() from wallets`,
    [networkId, complete],
  )
  await pool.query('analyze wallets, wallet_syncs')
}

/** A customer with an endpoint that is told of all wallets. */
async function watchAll({ owner, newEndpoint }: typeof killed): Promise<void> {
  const { accountId } = await createAccount(owner.db, { name: 'test', plan: 'enterprise' })
  const { id } = await newEndpoint({ accountId })
  await owner.pool.query(
    'insert into event_subscriptions (account_id, endpoint_id, wallet_id) select $1, $2, id from wallets',
    [accountId, id],
  )
}

async function tablesOf({ pool, ask }: typeof killed): Promise<Record<string, string[]>> {
  const { account_events: events, deliveries, ...others } = await eventTables(ask)
  // Which wallets are derived together, and so the order of their events, depends on the kills.
  const withoutPlace = (list: readonly string[] = []) =>
    list.map((text) => text.replace(/^\(([^,]*),\d+,/, '($1,')).toSorted()
  const texts = async (select: string) =>
    (await ask<{ text: string }>(`select t::text as text from (${select}) as t order by 1`)).map(
      ({ text }) => text,
    )
  return {
    ...(await chainRows(pool)),
    ...others,
    account_events: withoutPlace(events),
    deliveries: withoutPlace(deliveries),
    follows: await texts(
      'select cursor_block, cursor_hash, confirmed_block, mode, reason from network_follows',
    ),
    touched: await texts('select wallet_id, from_block, through_block, reason from touched_wallets'),
    coverage: await texts('select covered_from, count(*) from wallet_syncs group by 1'),
  }
}

import type pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { publishBatch } from '../../activities/events/publish-batch.ts'
import { releaseHeldEvents } from '../../db/events/publish.ts'
import { openDb } from '../../db/connect.ts'
import { createAccount, topUp } from '../../db/metering/write.ts'
import type { PlanId } from '../../db/metering/tables.ts'
import { createRandom, type Random } from '../../sandbox/chain/random.ts'
import { testDatabase } from '../setup/database.ts'
import { address } from '../setup/wallet-factories.ts'
import { startReceiver } from './receiver.ts'
import { networkId, tellWallet } from './watched-wallet.ts'
import { webhookWorld } from './webhook-world.ts'

// From what a sync notes to what a receiver gets, with a process that dies at any statement.

const database = await testDatabase()
const receiver = await startReceiver()
const world = await webhookWorld(database, receiver)
const { ask } = world
const { pool } = world.deps
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(owner.close)

const DEPTH = 64
const STEPS = 12
/** More statements than any step sends, so that some processes live. */
const MOST_STATEMENTS = 400
await ask(`update networks set reorg_depth = ${DEPTH} where id = '${networkId}'`)
let wallets = 0

interface Customer {
  id: string
  endpointId: string
}

async function customer(walletId: string, given: { plan: PlanId; credits?: bigint; confirmed: string }) {
  const { plan, credits, confirmed } = given
  const { accountId } = await createAccount(owner.db, {
    name: 'test',
    plan,
    ...(credits !== undefined && { creditsPerMonth: credits }),
  })
  const { id } = await world.newEndpoint({ accountId })
  await ask('update webhook_endpoints set options = $2 where id = $1', [id, { confirmed }])
  await ask('insert into event_subscriptions (account_id, endpoint_id, wallet_id) values ($1, $2, $3)', [
    accountId,
    id,
    walletId,
  ])
  return { id: accountId, endpointId: id }
}

/** Does a piece of work, in one process or in as many as it takes. */
type Survive = (work: (through: pg.Pool) => Promise<unknown>) => Promise<void>

/** Finds, confirms, loses, publishes and delivers by turns of chance, and at last all that is left. */
async function live(random: Random, survive: Survive): Promise<Customer[]> {
  // Each run has the chain for itself.
  await ask('truncate blocks, transactions, transfers, unconfirmed_transactions, event_sources')
  const wallet = await tellWallet(pool, { address: address(++wallets), now: () => new Date() })
  await wallet.derive([{ number: 1, ether: 1n }])
  await wallet.complete()
  const customers = [
    await customer(wallet.walletId, { plan: 'pro', confirmed: 'both' }),
    await customer(wallet.walletId, { plan: 'pro', confirmed: 'only' }),
    await customer(wallet.walletId, { plan: 'free', credits: 20n, confirmed: 'both' }),
  ]
  let [head, settled] = [1, 1]
  const find = (blocks: number) => {
    const news = [
      { number: head + 1, ether: 1n },
      { number: head + blocks, ether: 1n },
    ]
    head += blocks
    settled = Math.max(settled, head - DEPTH)
    return survive(async (through) => {
      await wallet.derive(news, through)
      await wallet.complete(through)
    })
  }
  const lose = (blocks: number) => {
    head = Math.max(settled, head - blocks)
    return survive((through) => wallet.rewindTo(head, through))
  }
  const publish = () =>
    survive(async (through) => {
      while ((await publishBatch({ pool: through })).isMore) continue
    })
  const release = async () => {
    await ask(`update event_rates set at = at - interval '1 minute'`)
    await survive((through) => releaseHeldEvents(through))
  }
  const deliver = async () => {
    // What an ended process had taken is free again after a minute.
    world.pass(61_000)
    await survive((through) => world.deliver({ pool: through }))
  }
  for (let step = 0; step < STEPS; step++) {
    const kind = random.integer(10)
    if (kind < 4) await find(2 + random.integer(DEPTH))
    else if (kind < 6) await lose(1 + random.integer(DEPTH))
    else if (kind < 8) await publish()
    else await (kind === 8 ? release() : deliver())
  }
  await find(DEPTH + 2)
  await publish()
  const poor = customers.at(-1)!.id
  await topUp(owner.db, { id: `more-${poor}`, accountId: poor, credits: 1_000n })
  for (let i = 0; i < 20; i++) await release()
  for (let i = 0; i < 3; i++) await deliver()
  return customers
}

/** What an account was told, in its order, and what it paid. */
async function toldTo({ id }: Customer) {
  const events = await ask<{ seq: string | null; credits: number; text: string }>(
    `select seq, credits, concat_ws(' ', body::jsonb #>> '{data,blockNumber}', body::jsonb #>> '{data,status}', credits)
       as text from account_events where account_id = $1 order by seq`,
    [id],
  )
  const [paid] = await ask<{ credits: number; charges: number }>(
    `select coalesce(sum(credits), 0)::integer as credits, count(*)::integer as charges from ledger_entries
     where account_id = $1 and kind = 'charge'`,
    [id],
  )
  return { events, paid: paid! }
}

test.each([1, 2, 3, 4, 5])(
  'case 39, seed %i: killed at any statement, each event arrives, is numbered once and paid once',
  async (seed) => {
    const undisturbed = await live(createRandom(seed), async (work) => void (await work(pool)))
    const chance = createRandom(1_000 + seed)
    let kills = 0
    const killed = await live(createRandom(seed), async (work) => {
      for (;;) {
        const { deps, reached } = world.endingAt(Math.floor(chance.size(1, MOST_STATEMENTS)) - 1)
        const error: unknown = await work(deps.pool).then(
          () => null,
          (reason: unknown) => reason ?? new Error('unknown'),
        )
        if (!reached()) {
          if (error !== null) throw error
          return
        }
        kills++
        world.pass(61_000)
      }
    })
    expect(kills).toBeGreaterThan(10)
    for (const [i, one] of killed.entries()) {
      const [told, wanted] = [await toldTo(one), await toldTo(undisturbed[i]!)]
      expect(told.events.map(({ text }) => text)).toEqual(wanted.events.map(({ text }) => text))
      const charged = told.events.filter(({ credits }) => credits > 0)
      expect(told.paid).toEqual({ credits: 5 * charged.length, charges: charged.length })
      const seqs = told.events.map(({ seq }) => Number(seq))
      expect(new Set(seqs).size).toBe(seqs.length)
      const arrived = new Set(receiver.seqs())
      expect(seqs.filter((seq) => !arrived.has(seq))).toEqual([])
      expect((await world.deliveries(one.endpointId)).every(({ delivered }) => delivered)).toBe(true)
    }
  },
)

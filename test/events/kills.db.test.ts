import { afterAll, expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { createRandom } from '../../sandbox/chain/random.ts'
import { testDatabase } from '../setup/database.ts'
import { address } from '../setup/wallet-factories.ts'
import { type Customer, liveEvents } from './event-life.ts'
import { runEventStep } from './event-steps.ts'
import { startReceiver } from './receiver.ts'
import { webhookWorld } from './webhook-world.ts'

// From what a sync notes to what a receiver gets, with a process that ends at any statement.
// test/crash/event-kills.crash.test.ts kills real processes.

const database = await testDatabase()
const receiver = await startReceiver()
const world = await webhookWorld(database, receiver)
const { ask, deps } = world
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(owner.close)

/** More statements than any step sends, so that some processes live. */
const MOST_STATEMENTS = 400
let wallets = 0

/** What an account was told, in its order, and what it paid. */
async function toldTo({ accountId }: Customer) {
  const events = await ask<{ seq: string | null; credits: number; text: string }>(
    `select seq, credits, concat_ws(' ', body::jsonb #>> '{data,blockNumber}', body::jsonb #>> '{data,status}', credits)
       as text from account_events where account_id = $1 order by seq`,
    [accountId],
  )
  const [paid] = await ask<{ credits: number; charges: number }>(
    `select coalesce(sum(credits), 0)::integer as credits, count(*)::integer as charges from ledger_entries
     where account_id = $1 and kind = 'charge'`,
    [accountId],
  )
  return { events, paid: paid! }
}

test.each([1, 2, 3, 4, 5])(
  'E2 case 39, seed %i: ended at any statement, each event arrives, is numbered once and paid once',
  async (seed) => {
    const life = () => ({
      owner: owner.db,
      address: address(++wallets),
      random: createRandom(seed),
      turns: 12,
    })
    const undisturbed = await liveEvents(world, { ...life(), run: (step) => runEventStep(deps, step) })
    const chance = createRandom(1_000 + seed)
    let kills = 0
    const killed = await liveEvents(world, {
      ...life(),
      async run(step) {
        for (;;) {
          const ending = world.endingAt(Math.floor(chance.size(1, MOST_STATEMENTS)) - 1)
          const error: unknown = await runEventStep({ ...deps, ...ending.deps }, step).then(
            () => null,
            (reason: unknown) => reason ?? new Error('unknown'),
          )
          if (!ending.reached()) {
            if (error !== null) throw error
            return
          }
          kills++
          world.pass(61_000)
        }
      },
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

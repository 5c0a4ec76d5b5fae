import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startTemporaryPostgres } from '../../cli/postgres/temporary-postgres.ts'
import { createRandom } from '../../sandbox/chain/random.ts'
import { liveEvents } from '../events/event-life.ts'
import { runEventStep } from '../events/event-steps.ts'
import { startReceiver } from '../events/receiver.ts'
import { sealingKey, webhookWorld } from '../events/webhook-world.ts'
import { chainRows } from '../follow/follow-directly.ts'
import { address } from '../setup/wallet-factories.ts'
import { crashDatabase } from './crash-database.ts'
import { eventTables } from './event-tables.ts'
import { survive } from './killable-process.ts'

// Each step from what a sync notes to what a receiver gets is done by processes that are killed at each of their
// commits, and by one process in a second database.

const PROCESS = join(import.meta.dirname, 'event-process.ts')
const postgres = await startTemporaryPostgres({ inMemory: true })
afterAll(() => postgres.stop())
const receiver = await startReceiver()
const [killed, undisturbed] = [await newWorld('killed'), await newWorld('undisturbed')]
const { host } = new URL(receiver.url)
let kills = 0

async function newWorld(name: string) {
  const { database, owner, close } = await crashDatabase(postgres, name)
  afterAll(close)
  return { ...(await webhookWorld(database, receiver)), database, owner }
}

const tablesOf = async ({ ask, deps }: typeof killed) => ({
  ...(await chainRows(deps.pool)),
  ...(await eventTables(ask)),
})

test.each([1, 2, 3, 4, 5])(
  'E2 cases 26, 39, seed %i: killed before and after each commit, each event arrives, is numbered once and paid once',
  async (seed) => {
    const startMs = Date.now()
    const life = () => ({ address: address(seed), random: createRandom(seed), turns: 6 })
    await liveEvents(undisturbed, {
      ...life(),
      owner: undisturbed.owner.db,
      run: (step) => runEventStep(undisturbed.deps, step),
    })
    receiver.answer(() => 204)
    let died = 0
    const customers = await liveEvents(killed, {
      ...life(),
      owner: killed.owner.db,
      async run(step) {
        died += await survive(PROCESS, () => {
          // What a killed process had taken is free again after a minute.
          killed.pass(61_000)
          const aheadMs = killed.deps.now().getTime() - Date.now()
          return { databaseUrl: killed.database.ingestUrl, receiver: host, sealingKey, aheadMs, step }
        })
      },
    })
    kills += died
    console.log(`E2 seed ${seed}: ${died} kills in ${Math.round((Date.now() - startMs) / 1_000)} s`)
    const wanted = await tablesOf(undisturbed)
    expect(await tablesOf(killed)).toEqual(wanted)
    expect(wanted['account_events']!.length).toBeGreaterThan(0)
    const arrived = new Set(receiver.seqs())
    for (const { accountId } of customers) {
      const events = await killed.ask<{ seq: number }>(
        'select seq::integer from account_events where account_id = $1 order by seq',
        [accountId],
      )
      expect(events.filter(({ seq }) => !arrived.has(seq))).toEqual([])
    }
  },
)

test('E2 the processes were killed over 200 times', () => expect(kills).toBeGreaterThan(200))

import { createAccount, topUp } from '../../db/metering/write.ts'
import type { PlanId } from '../../db/metering/tables.ts'
import type { Db } from '../../db/schema.ts'
import type { Random } from '../../sandbox/chain/random.ts'
import type { EventStep } from './event-steps.ts'
import { networkId, tellWallet } from './watched-wallet.ts'
import type { webhookWorld } from './webhook-world.ts'

type World = Pick<Awaited<ReturnType<typeof webhookWorld>>, 'ask' | 'deps' | 'pass' | 'newEndpoint'>

export interface Customer {
  accountId: string
  endpointId: string
}

const DEPTH = 64

/** Three customers that watch one wallet; the last one cannot pay all at once. */
async function customers(
  { ask, newEndpoint }: World,
  { owner, walletId, address }: { owner: Db; walletId: string; address: string },
): Promise<Customer[]> {
  const given: { plan: PlanId; credits?: bigint; confirmed: string }[] = [
    { plan: 'pro', confirmed: 'both' },
    { plan: 'pro', confirmed: 'only' },
    { plan: 'free', credits: 20n, confirmed: 'both' },
  ]
  const made: Customer[] = []
  for (const { plan, credits, confirmed } of given) {
    const { accountId } = await createAccount(owner, {
      name: `${address} ${made.length}`,
      plan,
      ...(credits !== undefined && { creditsPerMonth: credits }),
    })
    const { id: endpointId } = await newEndpoint({ accountId })
    await ask('update webhook_endpoints set options = $2 where id = $1', [endpointId, { confirmed }])
    await ask('insert into event_subscriptions (account_id, endpoint_id, wallet_id) values ($1, $2, $3)', [
      accountId,
      endpointId,
      walletId,
    ])
    made.push({ accountId, endpointId })
  }
  return made
}

/**
 * Finds, confirms, loses, publishes and delivers transactions of a wallet by turns of chance, and at last all that
 * is left. `run` does a step, in one process or in as many as it takes.
 */
export async function liveEvents(
  world: World,
  options: {
    owner: Db
    address: string
    random: Random
    turns: number
    run: (step: EventStep) => Promise<void>
  },
): Promise<Customer[]> {
  const { ask, deps, pass } = world
  const { owner, address, random, turns, run } = options
  await ask(`update networks set reorg_depth = ${DEPTH} where id = '${networkId}'`)
  // Each run has the chain for itself.
  await ask('truncate blocks, transactions, transfers, unconfirmed_transactions, event_sources')
  const told = await tellWallet(deps.pool, { address, now: deps.now })
  const wallet = { walletId: told.walletId, address }
  let earlier: number[] = []
  let [head, settled] = [0, 1]
  async function find(...blocks: number[]): Promise<void> {
    await run({ kind: 'find', wallet, earlier: [...earlier], blocks })
    earlier.push(...blocks)
    head = blocks.at(-1)!
    settled = Math.max(settled, head - DEPTH)
  }
  async function lose(blocks: number): Promise<void> {
    head = Math.max(settled, head - blocks)
    earlier = earlier.filter((number) => number <= head)
    await run({ kind: 'lose', above: head })
  }
  async function release(): Promise<void> {
    await ask(`update event_rates set at = at - interval '1 minute'`)
    await run({ kind: 'release' })
  }
  async function deliver(): Promise<void> {
    // What an ended process had taken is free again after a minute.
    pass(61_000)
    await run({ kind: 'deliver' })
  }
  await find(1)
  const watching = await customers(world, { owner, ...wallet })
  for (let turn = 0; turn < turns; turn++) {
    const kind = random.integer(10)
    if (kind < 4) await find(head + 1, head + 2 + random.integer(DEPTH))
    else if (kind < 6) await lose(1 + random.integer(DEPTH))
    else if (kind < 8) await run({ kind: 'publish' })
    else await (kind === 8 ? release() : deliver())
  }
  await find(head + 1, head + DEPTH + 2)
  await run({ kind: 'publish' })
  const { accountId } = watching.at(-1)!
  await topUp(owner, { id: `more-${accountId}`, accountId, credits: 1_000n })
  const held = () => ask('select from account_events where held limit 1')
  while ((await held()).length > 0) await release()
  for (let i = 0; i < 3; i++) await deliver()
  return watching
}

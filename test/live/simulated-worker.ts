import { pino } from 'pino'
import { createChainActivities } from '../../activities/chain/index.ts'
import { createHttpClient } from '../../activities/http.ts'
import type { IngestConfig } from '../../activities/ingest-config.ts'
import { createDeriveActivities, createFollowActivities } from '../../activities/loops.ts'
import { createNodes } from '../../activities/nodes/create-nodes.ts'
import { createUsageCounts } from '../../activities/usage-counts.ts'
import { createSourceGate } from '../../activities/source-gate.ts'
import type { Connection } from '../../db/connect.ts'
import type { Db } from '../../db/schema.ts'
import type { FakeClock } from '../upstreams/double.ts'
import { atPlanRates } from '../upstreams/plan-rates.ts'
import type { Simulation } from './simulation.ts'

/** The activities of a worker on simulated time, with the rates and budgets of its sources. */
export function createSimulatedWorker(options: {
  connection: Connection<Db>
  clock: FakeClock
  simulation: Simulation
  /** address and key of the sources that are on */
  on: Record<string, { url: string; key: string | null }>
  rpcUrls: Record<string, readonly string[]>
  followedNetworks?: readonly string[]
}) {
  const { connection, clock, simulation, on, rpcUrls, followedNetworks = [] } = options
  const { pool, db } = connection
  const now = () => new Date(clock.now())
  const sources = atPlanRates(on)
  const { ending, wait } = simulation
  const gate = simulation.gated((waitHere) => createSourceGate({ db, limits: sources, wait: waitHere }))
  const http = createHttpClient({ gate, sources, random: () => 0 })
  const heartbeat = () => {}
  const config = {
    sources,
    rpcUrls,
    nodeBudgets: new Map(),
    followedNetworks,
    walletDailyLimit: 50_000,
    exportTarget: null,
  }
  const { nodes, poolOf } = createNodes({
    pool,
    now,
    heartbeat,
    config,
    usage: createUsageCounts(now),
    pause: wait,
  })
  const log = pino({ level: 'silent' })
  const all = { pool, http, nodes, poolOf, now, log, heartbeat, config, ending: () => ending, wait }
  return {
    follow: createFollowActivities(all),
    derive: createDeriveActivities(all),
    chain: createChainActivities({ ...all, config: config as unknown as IngestConfig }),
    close: () => http.close(),
  }
}

export type SimulatedWorker = ReturnType<typeof createSimulatedWorker>

/** The steps of a sync's workflow that concern the chain, in its order. */
export async function syncWallet(
  { chain }: Pick<SimulatedWorker, 'chain'>,
  { address, networkId }: { address: string; networkId: string },
): Promise<void> {
  for (;;) {
    const { walletId, headBlock: first, isFirst } = await chain.beginWalletSync({ address, networkId })
    const wallet = { walletId, address, networkId }
    if (isFirst) await chain.readFirstBalances(wallet)
    let step = { headBlock: first, lookBack: true, next: null as string | null, cursorBlock: -1 }
    do step = await chain.backfillWallet({ ...wallet, ...step })
    while (step.cursorBlock < step.headBlock || step.next !== null)
    await chain.identifyWalletTokens(wallet)
    while (!(await chain.normaliseWallet(wallet)).done) continue
    await chain.verifyWalletBalances({ ...wallet, headBlock: step.headBlock })
    if (await chain.completeWalletSync({ walletId, networkId })) return
  }
}

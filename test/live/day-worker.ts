import { SourceUnavailable } from '../../activities/errors.ts'
import type { Connection } from '../../db/connect.ts'
import type { Db } from '../../db/schema.ts'
import type { FakeClock } from '../upstreams/double.ts'
import type { DayWorld } from './day-world.ts'
import { createSimulatedWorker, syncWallet } from './simulated-worker.ts'
import type { Simulation } from './simulation.ts'

/** A workflow tries eight times in two minutes, and eight run side by side. Here they run one after the other. */
const [TRIES, TRY_AGAIN_MS] = [8, 2_000]

/** Starts the processes that Temporal keeps: followers, what derives, and syncs of wallets that are due. */
export function startDayWorker(options: {
  connection: Connection<Db>
  clock: FakeClock
  simulation: Simulation
  world: DayWorld
}) {
  const { clock, simulation, world } = options
  const networkIds = [...world.networks.map(({ id }) => id), 'bitcoin']
  const worker = createSimulatedWorker({
    ...options,
    on: world.urls,
    rpcUrls: world.nodes.rpcUrls,
    followedNetworks: networkIds,
  })
  const failures: string[] = []
  const runs = { follow: 0, derive: 0, list: 0, sync: 0 }
  const isOver = () => simulation.ending.aborted

  async function attempt(name: keyof typeof runs, subject: string, work: () => Promise<void>): Promise<void> {
    runs[name]++
    try {
      await work()
    } catch (error) {
      failures.push(`${new Date(clock.now()).toISOString()} ${name} ${subject}: ${String(error)}`)
    }
  }

  /** An hour at a time, and again after ten minutes when it was refused. */
  async function keepFollowed(networkId: string): Promise<void> {
    while (!isOver())
      await attempt('follow', networkId, async () => {
        if ((await worker.follow.followHead({ networkId })) !== 'off') return
        await simulation.wait(600_000)
        throw new Error('off')
      })
  }

  async function keepDerived(): Promise<void> {
    while (!isOver())
      await attempt('derive', 'lane 0', async () => {
        await worker.derive.deriveWallets({ lane: 0, lanes: 1 })
      })
  }

  /** As the schedule that looks each minute for wallets to sync. */
  async function keepSynced(): Promise<void> {
    while (!isOver()) {
      await simulation.wait(60_000)
      await attempt('list', 'due wallets', async () => {
        for (const wallet of await worker.chain.listDueWallets({ olderThanSeconds: 300, limit: 500 }))
          await sync(wallet)
      })
    }
  }

  /** As its workflow does, it tries again, and notes a failure, so that the wallet is due again. */
  async function sync(wallet: { address: string; networkId: string }): Promise<void> {
    await attempt('sync', `${wallet.networkId} ${wallet.address}`, async () => {
      for (let tries = 1; ; tries++)
        try {
          return await syncWallet(worker, wallet)
        } catch (error) {
          if (error instanceof SourceUnavailable && tries < TRIES && !isOver()) {
            await simulation.wait(TRY_AGAIN_MS)
            continue
          }
          await worker.chain.failWalletSync({ ...wallet, failure: String(error) })
          throw error
        }
    })
  }

  for (const networkId of networkIds)
    simulation.start(`follower of ${networkId}`, () => keepFollowed(networkId))
  simulation.start('derive', keepDerived)
  simulation.start('syncs', keepSynced)
  return { failures, runs, sync, close: worker.close }
}

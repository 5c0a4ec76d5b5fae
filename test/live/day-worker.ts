import type { Connection } from '../../db/connect.ts'
import type { Db } from '../../db/schema.ts'
import type { FakeClock } from '../upstreams/double.ts'
import type { DayWorld } from './day-world.ts'
import { createSimulatedWorker, syncWallet } from './simulated-worker.ts'
import type { Simulation } from './simulation.ts'

/** Eight workflows run at a time, and each gives up after two minutes of tries. */
const FAILED_SYNC_MS = 15_000

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

  /** Whether it succeeded. */
  async function attempt(
    name: keyof typeof runs,
    subject: string,
    work: () => Promise<void>,
  ): Promise<boolean> {
    runs[name]++
    try {
      await work()
      return true
    } catch (error) {
      failures.push(`${new Date(clock.now()).toISOString()} ${name} ${subject}: ${String(error)}`)
      return false
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
          if (!(await sync(wallet))) await simulation.wait(FAILED_SYNC_MS)
      })
    }
  }

  /** As its workflow does, it notes a failure, so that the wallet is due again. */
  async function sync(wallet: { address: string; networkId: string }): Promise<boolean> {
    return await attempt('sync', `${wallet.networkId} ${wallet.address}`, async () => {
      try {
        await syncWallet(worker, wallet)
      } catch (error) {
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

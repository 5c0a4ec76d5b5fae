import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WorkflowIdConflictPolicy } from '@temporalio/client'
import { afterAll } from 'vitest'
import { AREAS } from '../../activities/all-areas.ts'
import { createActivities } from '../../activities/create-activities.ts'
import { createVault } from '../../db/exchanges/vault.ts'
import { markActiveNetworks } from '../../db/sources/write.ts'
import { openDb } from '../../db/connect.ts'
import { createSealingKey, sealingPublicKey } from '../../db/values/sealed-secret.ts'
import { binanceKeys } from '../../sandbox/exchanges/keys.ts'
import { fillChains, startChains } from '../sandbox/chains.ts'
import type { TestDatabase } from '../setup/database.ts'
import { startDispatchingWorker } from '../setup/dispatching-worker.ts'
import { startSandboxWorld } from '../setup/sandbox-world.ts'

const NETWORKS = ['ethereum', 'base-wallet'] as const

/** These areas run first, in this order, because each reads data of the previous ones. */
const FIRST = ['prices', 'tickers', 'chain', 'defi', 'pnl', 'portfolios']
const inOrder = [
  ...FIRST.flatMap((first) => AREAS.filter(({ name }) => name === first)),
  ...AREAS.filter(({ name }) => !FIRST.includes(name)),
]

/** A real database that `fill` fills from every area, and a worker. Both stop after the test file. */
export async function startFilledWorld(database: TestDatabase) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-oracle-'))
  const chains = await startChains(folder)
  const sealing = createSealingKey()
  const { deps } = await startSandboxWorld(database, {
    chains,
    env: { EXCHANGE_KEYS: sealing },
    clockRuns: true,
  })
  const meter = openDb({ url: database.meterUrl, maxConnections: 2, applicationName: 'test' })
  const vault = createVault({ pool: meter.pool, publicKey: sealingPublicKey(sealing) })
  const worker = await startDispatchingWorker({
    taskQueue: 'oracle',
    activities: createActivities(deps),
    deps,
  })
  const { client, taskQueue } = worker
  afterAll(async () => {
    await worker.stop()
    await meter.close()
    await chains.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /**
   * Runs every schedule of every area once, plus syncs of the given wallets and of an exchange account.
   * Returns the portfolio id of that account.
   */
  async function fill(asked: { wallets: readonly string[]; accountId: string }): Promise<string> {
    await fillChains(chains, { SANDBOX_SCALE: '0.1', SANDBOX_SEED: '7' })
    await markActiveNetworks(deps.db, NETWORKS)
    // The first quotes already start the back-fill under the id of its schedule. Wait for that run.
    const workflowIdConflictPolicy = WorkflowIdConflictPolicy.USE_EXISTING
    const { apiKey, apiSecret } = binanceKeys[0]!
    const offered = await vault.offer({
      accountId: asked.accountId,
      exchange: 'binance',
      name: null,
      known: undefined,
      now: deps.now(),
      credentials: { apiKey, apiSecret },
    })
    for (const { name, schedules } of inOrder) {
      if (name === 'exchanges') {
        await worker.run('connectExchange', offered)
        await worker.run('syncExchange', { connectionId: offered!.connectionId })
      }
      if (name === 'chain')
        for (const address of asked.wallets)
          for (const networkId of NETWORKS) await worker.run('syncWallet', { address, networkId })
      for (const { id, workflow, input } of schedules)
        await client.workflow.execute(workflow, {
          taskQueue,
          workflowId: id,
          workflowIdConflictPolicy,
          args: [input],
        })
    }
    return offered!.connectionId
  }

  return { vault, fill }
}

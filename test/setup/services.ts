import { join } from 'node:path'
import { DefaultLogger } from '@temporalio/worker'
import type { TestProject } from 'vitest/node'
import { bundleFile, workflowBundle } from '../../activities/workflow-bundle.ts'
import { startTemporaryPostgres } from '../../cli/postgres/temporary-postgres.ts'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { startService } from '../../cli/supervisor/service.ts'
import { findTemporal } from '../../cli/temporal/find-temporal.ts'
import { temporalService } from '../../cli/temporal/temporal-service.ts'
import { cacheFolder } from '../../cli/folders.ts'
import { migratedCluster, POSTGRES_SETTINGS, TEMPLATE } from './migrated-cluster.ts'
import './provided.ts'

const log = (line: string) => console.log(`set-up: ${line}`)

/**
 * Starts the services of this run: one Postgres, and for some projects such as `workflow` and `oracle` also a
 * Temporal server and the workflow bundle. Each project names this file; the first starts the services and
 * the last stops them.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = sharedServices()
  shared.users++
  const release = async () => {
    shared.users--
    if (shared.users > 0) return
    for (const stop of shared.stops.splice(0).reverse()) await stop()
  }
  try {
    project.provide('postgres', await (shared.postgres ??= startPostgres(shared)))
    if (!['db', 'live', 'long'].includes(project.name)) {
      project.provide('temporalAddress', await (shared.temporal ??= startTemporal(shared)))
      project.provide('workflowBundle', await (shared.bundle ??= bundleWorkflows()))
    }
    return release
  } catch (error) {
    await release()
    throw error
  }
}

interface SharedServices {
  users: number
  stops: (() => Promise<void>)[]
  postgres?: ReturnType<typeof startPostgres>
  temporal?: Promise<string>
  bundle?: Promise<string>
}

/** Each project loads its own copy of this module, so the shared state is on globalThis. */
function sharedServices(): SharedServices {
  const holder = globalThis as { sluiceTestServices?: SharedServices }
  return (holder.sluiceTestServices ??= { users: 0, stops: [] })
}

async function startPostgres({ stops }: SharedServices) {
  const startMs = Date.now()
  const from = await migratedCluster()
  const server = await startTemporaryPostgres({ inMemory: true, settings: POSTGRES_SETTINGS, from })
  stops.push(() => server.stop())
  const { port, ownerPassword } = server
  const socketFolder = server.cluster.dataFolder
  log(`Postgres is up and migrated (${Date.now() - startMs} ms)`)
  return { port, ownerPassword, template: TEMPLATE, socketFolder }
}

async function startTemporal({ stops }: SharedServices): Promise<string> {
  const startMs = Date.now()
  const choice = await findTemporal({
    env: { ...process.env, TEMPORAL_ADDRESS: '' },
    cacheFolder: cacheFolder(),
    log,
  })
  if ('address' in choice) return choice.address
  const port = await freePort()
  const spec = temporalService({ program: choice.program, port })
  const running = startService(spec, { onLine: () => {}, onSpawn: () => {}, onExit: () => {} })
  stops.push(running.stop)
  await running.ready
  log(`Temporal is up (${Date.now() - startMs} ms)`)
  return `127.0.0.1:${port}`
}

async function bundleWorkflows(): Promise<string> {
  const folder = join(cacheFolder(), 'workflows')
  await workflowBundle(folder, new DefaultLogger('ERROR'))
  return bundleFile(folder)
}

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { AREAS } from '../../../activities/all-areas.ts'
import { cacheFolder } from '../../../cli/folders.ts'
import { sandboxEnvironment } from '../../../cli/service-environment.ts'
import { freePort } from '../../../cli/supervisor/free-port.ts'
import { keepAnchor } from '../../../cli/supervisor/keep-anchor.ts'
import { anvilService, chainFillJob, simulatorService } from '../../../cli/supervisor/services.ts'
import { findTemporal } from '../../../cli/temporal/find-temporal.ts'
import { temporalService } from '../../../cli/temporal/temporal-service.ts'
import { networks } from '../../../sandbox/chain/networks.ts'
import { createSealingKey, sealingPublicKey } from '../../../db/values/sealed-secret.ts'
import { startBenchPostgres } from '../shared/bench-postgres.ts'
import { type Cleanup, createCleanup } from '../shared/cleanup.ts'
import { startPart } from '../shared/start-part.ts'

const run = promisify(execFile)

export interface AreaIngest {
  area: string
  /** number of new rows in the tables of the area */
  rows: number
  requests: number
  ms: number
  peakMb: number
}

/**
 * Measures the first ingestion of each area from the simulator through its workflows, with a separate worker
 * per area.
 */
export async function measureIngest(input: {
  folder: string
  whole: Cleanup
  log: (line: string) => void
}): Promise<AreaIngest[]> {
  const { folder, log } = input
  const cleanup = createCleanup(input.whole)
  try {
    log('starting Postgres, Temporal, the chains and the simulator')
    const postgres = await startBenchPostgres(cleanup)
    const choice = await findTemporal({
      env: { ...process.env, TEMPORAL_ADDRESS: '' },
      cacheFolder: cacheFolder(),
      log,
    })
    if ('address' in choice)
      throw new Error('the benchmark needs its own Temporal server: unset TEMPORAL_ADDRESS')
    const temporalPort = await freePort()
    await startPart(
      temporalService({ program: choice.program, port: temporalPort, file: join(folder, 'areas.db') }),
      cleanup,
    )
    const path = { PATH: process.env['PATH'] ?? '' }
    const ports: Record<string, number> = { postgres: postgres.port, sandbox: await freePort() }
    const anchor = keepAnchor(folder)
    for (const { id } of networks) {
      const port = (ports[id] = await freePort())
      const stateFile = join(folder, `${id}.json`)
      await startPart(anvilService({ network: id, port, stateFile, anchor, env: path }), cleanup)
    }
    const sandbox = {
      ...path,
      ...sandboxEnvironment({ ports }),
      SANDBOX_ANCHOR: String(anchor),
    }
    const fill = await startPart(chainFillJob(sandbox), cleanup)
    await fill.ended
    await startPart(simulatorService({ port: ports['sandbox']!, env: sandbox }), cleanup)

    const sealing = createSealingKey()
    const env = {
      ...sandbox,
      INGEST_DATABASE_URL: postgres.roleUrl('ingest'),
      DATABASE_URL: postgres.ownerUrl,
      TEMPORAL_ADDRESS: `127.0.0.1:${temporalPort}`,
      LOG_LEVEL: 'error',
      EXCHANGE_KEYS: sealing,
      EXCHANGE_SEAL_KEY: sealingPublicKey(sealing),
    }
    const results: AreaIngest[] = []
    // The others derive their rows, P&L and positions in the sync of a wallet.
    for (const { name } of AREAS.filter(({ sources }) => sources.length > 0)) {
      log(`ingesting ${name}`)
      const program = join(import.meta.dirname, 'ingest-process.ts')
      const { stdout } = await run(process.execPath, [program, name], { env })
      const result = JSON.parse(stdout.trim().split('\n').at(-1)!) as AreaIngest
      log(`${name}: ${result.rows} rows in ${(result.ms / 1_000).toFixed(1)} s`)
      results.push(result)
    }
    return results
  } finally {
    await cleanup.run()
  }
}

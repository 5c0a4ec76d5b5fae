import { join } from 'node:path'
import { CommandError } from '../command.ts'
import { cacheFolder } from '../folders.ts'
import { findPgBouncer } from '../pgbouncer/find-pgbouncer.ts'
import { pgBouncerService } from '../pgbouncer/pgbouncer-service.ts'
import type { Secrets } from '../secrets.ts'
import type { Layout } from '../supervisor/start-all.ts'
import type { Parts } from '../supervisor/start-parts.ts'
import { temporalPrograms } from './temporal-programs.ts'
import { prepareTemporalSchema } from './temporal-schema.ts'
import { TEMPORAL_PORTS, temporalServer } from './temporal-server.ts'

/** Two connections each for charges, admission and shares (api/open-pools.ts). */
const METER_CONNECTIONS = 6

/** Ports of the parts that `sluice start` does not have. */
function topologyPorts(apis: number): Record<string, number> {
  const others = Array.from({ length: apis - 1 }, (_, i) => [`api-${i + 2}`, 8081 + i] as const)
  return { pgbouncer: 16432, ...TEMPORAL_PORTS, ...Object.fromEntries(others) }
}

/** Several APIs and workers behind PgBouncer, and Temporal's production server on the same Postgres. */
export function topology({ apis, workers }: { apis: number; workers: number }): Layout {
  return {
    apis,
    workers,
    ports: topologyPorts(apis),
    startTemporal,
    // Temporal's pools use up to 64 connections, PgBouncer 20 for each role and those of `meter`.
    postgres: { max_connections: '200' },
    startPooler: (parts, secrets) => startPooler(parts, secrets, apis),
  }
}

async function startPooler(
  { home, run, supervisor, log }: Parts,
  secrets: Secrets,
  apis: number,
): Promise<void> {
  const program = await findPgBouncer({ env: process.env, cacheFolder: cacheFolder() }).catch(refuse)
  log(`pgbouncer: ${program}`)
  const { ingest, api, meter, gateway, account, console, issuer } = secrets
  await supervisor.keep(() =>
    pgBouncerService({
      program,
      port: run.ports['pgbouncer']!,
      postgresPort: run.ports['postgres']!,
      database: 'sluice',
      folder: join(home, 'pgbouncer'),
      users: { ingest, api, meter, gateway, account, console, issuer },
      // A charge that waits for a connection could commit after its client was told that it failed.
      poolSizes: { meter: METER_CONNECTIONS * apis },
    }),
  )
}

async function startTemporal(
  { home, run, supervisor, log }: Parts,
  database: Promise<Secrets>,
): Promise<void> {
  if (process.env.TEMPORAL_ADDRESS)
    throw new CommandError('the topology has a Temporal server of its own: unset TEMPORAL_ADDRESS')
  // That server has no web pages.
  delete run.ports['temporal-ui']
  const { server: program, sqlTool } = await temporalPrograms({
    env: process.env,
    cacheFolder: cacheFolder(),
    log,
  }).catch(refuse)
  const { owner: ownerPassword, temporal: password } = await database
  await prepareTemporalSchema({ server: { port: run.ports['postgres']!, ownerPassword }, password, sqlTool })
  await supervisor.keep(() =>
    temporalServer({ program, ports: run.ports, password, folder: join(home, 'temporal') }),
  )
}

function refuse(error: Error): never {
  throw new CommandError(error.message)
}

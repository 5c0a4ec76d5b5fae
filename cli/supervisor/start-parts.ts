import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../../db/migrate.ts'
import { networks } from '../../sandbox/chain/networks.ts'
import { CommandError } from '../command.ts'
import { cacheFolder } from '../folders.ts'
import { clearPostmasterLock } from '../postgres/clear-postmaster-lock.ts'
import { ownerUrl, postgresService } from '../postgres/postgres-service.ts'
import { prepareCluster } from '../postgres/prepare-cluster.ts'
import { completeSecrets, createSecrets, readSecrets, type Secrets } from '../secrets.ts'
import { findTemporal } from '../temporal/find-temporal.ts'
import { hasNamespace, temporalService } from '../temporal/temporal-service.ts'
import type { Run } from './run-file.ts'
import { anvilService, chainFillJob } from './services.ts'
import type { Supervisor } from './supervisor.ts'

/** A wallet with history on the sandbox chains. */
export interface SandboxWallet {
  address: string
  label: string
}

export interface Parts {
  home: string
  run: Run
  supervisor: Supervisor
  log: (line: string) => void
}

/** Postgres with the newest schema. `settings` are those of the server beside the project's own. */
export async function startDatabase(
  { home, run, supervisor, log }: Parts,
  settings: Record<string, string> = {},
): Promise<Secrets> {
  const known = readSecrets(home)
  const secrets = known ? completeSecrets(home, known) : createSecrets(home)
  const cluster = await prepareCluster({ folder: join(home, 'postgres'), ownerPassword: secrets.owner, log })
  if (!known && !cluster.created)
    throw new CommandError(
      `${cluster.dataFolder} holds a database, but its passwords in ${home}/secrets.json are gone. ` +
        `Put that file back, or delete the database to begin anew.`,
    )
  await clearPostmasterLock(cluster.dataFolder, log)
  const server = () => ({ port: run.ports.postgres!, ownerPassword: secrets.owner })
  await supervisor.keep(() => postgresService({ cluster, ...server(), settings }))
  await createDatabase(ownerUrl({ ...server(), database: 'postgres' }))
  await migrate({ databaseUrl: ownerUrl({ ...server(), database: 'sluice' }), passwords: secrets, log })
  return secrets
}

async function createDatabase(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rowCount } = await client.query(`select from pg_database where datname = 'sluice'`)
    if (rowCount === 0) await client.query('create database sluice')
  } finally {
    await client.end()
  }
}

/** The Temporal server, own or foreign. */
export async function startTemporal({ home, run, supervisor, log }: Parts): Promise<void> {
  const choice = await findTemporal({ env: process.env, cacheFolder: cacheFolder(), log }).catch(
    (error: Error) => {
      throw new CommandError(error.message)
    },
  )
  if ('address' in choice) {
    const namespace = process.env.TEMPORAL_NAMESPACE ?? 'default'
    if (!(await hasNamespace({ address: choice.address, namespace })))
      throw new CommandError(
        `no Temporal server with namespace "${namespace}" answers at ${choice.address} (TEMPORAL_ADDRESS)`,
      )
    log(`temporal: using ${choice.address}`)
    return
  }
  log(`temporal: ${choice.program} (${choice.origin})`)
  await supervisor.keep(() =>
    temporalService({
      program: choice.program,
      port: run.ports.temporal!,
      uiPort: run.ports['temporal-ui']!,
      file: join(home, 'temporal.sqlite'),
    }),
  )
}

/** A chain that cannot be started from its state so many times is begun anew. */
const CHAIN_ATTEMPTS = { attempts: 6 }

interface ChainsOptions {
  env: () => Record<string, string>
  /** Unix seconds at which the chains' story ends. */
  anchor: number
  /** Called when the nodes answer, before they are filled. */
  onUp: () => void
}

/** The sandbox chains, filled. State of another story than the present one is thrown away. Resolves to their wallets. */
export async function startChains(parts: Parts, options: ChainsOptions): Promise<SandboxWallet[]> {
  const folder = join(parts.home, 'chains')
  mkdirSync(folder, { recursive: true })
  try {
    return await fillChains(parts, folder, options)
  } catch (error) {
    if (parts.supervisor.stopping()) throw error
    parts.log(`the sandbox chains begin anew: ${(error as Error).message}`)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    return fillChains(parts, folder, options)
  }
}

async function fillChains(
  { run, supervisor, log }: Parts,
  folder: string,
  { env, anchor, onUp }: ChainsOptions,
) {
  const starts = await Promise.allSettled(
    networks.map(({ id }) => {
      const stateFile = join(folder, `${id}.json`)
      const node = () => anvilService({ network: id, port: run.ports[id]!, stateFile, anchor, env: env() })
      return supervisor.keep(node, CHAIN_ATTEMPTS)
    }),
  )
  const fill = () => supervisor.runJob(chainFillJob(env()))
  try {
    for (const start of starts) if (start.status === 'rejected') throw start.reason
    onUp()
    const line = await fill().catch((error: Error) => {
      if (supervisor.stopping()) throw error
      // It goes on where the chains stand: a node may have been away for a moment.
      log(`filling the sandbox chains again: ${error.message}`)
      return fill()
    })
    return (JSON.parse(line) as { wallets: SandboxWallet[] }).wallets
  } catch (error) {
    for (const start of starts) if (start.status === 'fulfilled') await start.value.stop()
    throw error
  }
}

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

/**
 * Starts Postgres and migrates it to the newest schema. `settings`: server settings in addition to the
 * defaults.
 */
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
        `Put that file back, or delete the database to start from scratch.`,
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

/** Starts a Temporal server, or checks the one in TEMPORAL_ADDRESS. */
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

/** After this many failed starts from its state a chain is rebuilt from scratch. */
const CHAIN_ATTEMPTS = { attempts: 6 }

interface ChainsOptions {
  env: () => Record<string, string>
  /** Unix seconds at which the history of the chains ends. */
  anchor: number
  /** Called when the nodes answer, before the chains are filled. */
  onUp: () => void
}

/** Starts and fills the sandbox chains. State that does not fit is discarded. Resolves to their wallets. */
export async function startChains(parts: Parts, options: ChainsOptions): Promise<SandboxWallet[]> {
  const folder = join(parts.home, 'chains')
  mkdirSync(folder, { recursive: true })
  try {
    return await fillChains(parts, folder, options)
  } catch (error) {
    if (parts.supervisor.stopping()) throw error
    parts.log(`rebuilding the sandbox chains: ${(error as Error).message}`)
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
      // Continues where the chains stand, because a node may have been down for a moment.
      log(`retrying to fill the sandbox chains: ${error.message}`)
      return fill()
    })
    return (JSON.parse(line) as { wallets: SandboxWallet[] }).wallets
  } catch (error) {
    for (const start of starts) if (start.status === 'fulfilled') await start.value.stop()
    throw error
  }
}

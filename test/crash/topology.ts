import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from '../../cli/folders.ts'
import { ownerUrl, postgresService } from '../../cli/postgres/postgres-service.ts'
import { prepareCluster } from '../../cli/postgres/prepare-cluster.ts'
import { sandboxEnvironment, serviceEnvironment } from '../../cli/service-environment.ts'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { apiService, simulatorService, workerService } from '../../cli/supervisor/services.ts'
import { findTemporal } from '../../cli/temporal/find-temporal.ts'
import { temporalService } from '../../cli/temporal/temporal-service.ts'
import { migrate } from '../../db/migrate.ts'
import type { NetworkId } from '../../sandbox/chain/tokens.ts'
import { fillChains, startChains } from '../sandbox/chains.ts'
import { query } from '../setup/query.ts'
import { keepAlive, type KeptAlive } from './keep-alive.ts'
import { makeNamespace } from './make-namespace.ts'

export type Topology = Awaited<ReturnType<typeof startTopology>>

/** A connection that `via` may redirect: client and server. */
export type Link = `${'api' | 'worker'}-postgres` | `worker-${'temporal' | 'sandbox' | NetworkId}`

/**
 * Starts all parts of an installation on free ports, each a process that restarts when killed. `via` may
 * insert a proxy: it gets a link and the server's port, and returns the port to use instead.
 */
export async function startTopology(
  folder: string,
  log: (line: string) => void,
  via: (link: Link, port: number) => Promise<number> = async (_link, port) => port,
) {
  chmodSync(folder, 0o711)
  const stops: (() => Promise<void>)[] = []
  const keep = async (spec: Parameters<typeof keepAlive>[0]): Promise<KeptAlive> => {
    const kept = keepAlive(spec, join(folder, `${spec.name}.log`))
    stops.push(kept.stop)
    await kept.up()
    log(`${spec.name} is up`)
    return kept
  }
  const stop = async (): Promise<void> => {
    for (const one of stops.splice(0).reverse()) await one()
  }
  try {
    const secrets = { owner: 'owner', ingest: 'ingest', api: 'api', meter: 'meter', gateway: 'gateway' }
    const port = await freePort()
    const cluster = await prepareCluster({
      folder: join(folder, 'postgres'),
      ownerPassword: secrets.owner,
      log,
    })
    const postgres = await keep(postgresService({ cluster, port, ownerPassword: secrets.owner }))
    const databaseUrl = (database: string) => ownerUrl({ port, ownerPassword: secrets.owner, database })
    await query(databaseUrl('postgres'), 'create database sluice')
    await migrate({ databaseUrl: databaseUrl('sluice'), passwords: secrets, log: () => {} })

    mkdirSync(join(folder, 'chains'))
    const chains = await startChains(join(folder, 'chains'))
    stops.push(() => chains.stop())
    await fillChains(chains, { SANDBOX_SCALE: '0.3', SANDBOX_SEED: '5' })
    log('the chains are filled')

    const choice = await findTemporal({
      env: { ...process.env, TEMPORAL_ADDRESS: '' },
      cacheFolder: cacheFolder(),
      log,
    })
    if ('address' in choice)
      throw new Error('the crash test needs its own Temporal server: unset TEMPORAL_ADDRESS')
    const temporalPort = await freePort()
    const temporal = await keep(
      temporalService({
        program: choice.program,
        port: temporalPort,
        file: join(folder, 'temporal.sqlite'),
      }),
    )

    const portOf = (url: string) => Number(new URL(url).port)
    const ports = {
      postgres: port,
      api: await freePort(),
      sandbox: await freePort(),
      ethereum: portOf(chains.rpcs['ethereum'].url),
      'base-wallet': portOf(chains.rpcs['base-wallet'].url),
    }
    const path = { PATH: process.env['PATH'] ?? '' }
    const simulatorEnv = { ...path, ...sandboxEnvironment({ ports }), ...chains.env, SANDBOX_SEED: '5' }
    await keep(simulatorService({ port: ports.sandbox, env: simulatorEnv }))
    const temporalAddress = `127.0.0.1:${await via('worker-temporal', temporalPort)}`
    const environment = (own: Partial<typeof ports>) => {
      const run = { ports: { ...ports, ...own }, temporalAddress, sources: 'sandbox' as const }
      return { ...path, ...serviceEnvironment({ run, secrets }) }
    }
    const workerEnv: Record<string, string> = environment({
      postgres: await via('worker-postgres', port),
      sandbox: await via('worker-sandbox', ports.sandbox),
      ethereum: await via('worker-ethereum', ports.ethereum),
      'base-wallet': await via('worker-base-wallet', ports['base-wallet']),
    })
    const worker = await keep(workerService({ env: workerEnv }))
    /** Starts a second worker. */
    const startWorker = () => keep({ ...workerService({ env: workerEnv }), name: 'second-worker' })
    /**
     * Starts a worker with its own database and Temporal namespace on the same upstreams, as in a first
     * start.
     */
    const startAnother = async (name: string) => {
      await query(databaseUrl('postgres'), `create database ${name}`)
      await migrate({ databaseUrl: databaseUrl(name), passwords: secrets, log: () => {} })
      await makeNamespace(`127.0.0.1:${temporalPort}`, name)
      const env = {
        ...workerEnv,
        INGEST_DATABASE_URL: workerEnv.INGEST_DATABASE_URL!.replace(/sluice$/, name),
        TEMPORAL_NAMESPACE: name,
      }
      const kept = keepAlive(
        { ...workerService({ env }), name: `worker-${name}` },
        join(folder, `${name}.log`),
      )
      stops.push(kept.stop)
      return kept
    }
    const apiEnv = environment({ postgres: await via('api-postgres', port) })
    const api = await keep(apiService({ port: ports.api, env: apiEnv }))
    const apiUrl = `http://127.0.0.1:${ports.api}/v1`
    const parts = { api, worker, postgres, temporal }
    return { parts, startWorker, startAnother, apiUrl, temporalPort, databaseUrl, rpcs: chains.rpcs, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

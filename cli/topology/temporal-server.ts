import { join } from 'node:path'
import { Connection } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import { listens } from '../supervisor/listens.ts'
import type { ServiceSpec } from '../supervisor/service.ts'
import { hasNamespace } from '../temporal/temporal-service.ts'
import { TEMPORAL_DATABASES } from '../temporal/temporal-databases.ts'

/** Ports of its services: for calls, and for finding one another (ring). */
export const TEMPORAL_PORTS = {
  'temporal-history': 17234,
  'temporal-matching': 17235,
  'temporal-internal': 17239,
  'temporal-frontend-ring': 16933,
  'temporal-history-ring': 16934,
  'temporal-matching-ring': 16935,
  'temporal-internal-ring': 16939,
}

/**
 * Shards for spreading work over history servers. It can never change, because it is part of the stored data.
 */
const HISTORY_SHARDS = 512
/** Connections per pool to Postgres. Each service has one pool. */
const CONNECTIONS = 8
/** How long the histories of ended workflows are kept. */
const KEPT = '3 days'
const NAMESPACE = 'default'

interface TemporalServerOptions {
  program: string
  ports: Readonly<Record<string, number>>
  /** Password of the role `temporal`. */
  password: string
  /** Folder for its configuration. */
  folder: string
}

/** Temporal's production server on Postgres, with all its services in one process. */
export function temporalServer(options: TemporalServerOptions): ServiceSpec {
  const { program, ports, folder } = options
  const dynamic = join(folder, 'dynamic.yaml')
  const address = `127.0.0.1:${ports['temporal']}`
  return {
    name: 'temporal',
    command: program,
    args: ['--root', folder, '--config', '.', '--env', 'production', '--allow-no-auth', 'start'],
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/tmp' },
    files: {
      // JSON is valid YAML.
      [join(folder, 'production.yaml')]: JSON.stringify(configuration(options, dynamic), null, 2),
      // Only its newer matcher gives out work by priority.
      [dynamic]: JSON.stringify({ 'matching.useNewMatcher': [{ value: true }] }),
    },
    listensOn: ['temporal', ...Object.keys(TEMPORAL_PORTS)],
    health: {
      probe: async (pid) =>
        listens({ pid, port: ports['temporal']! }) !== false &&
        ((await hasNamespace({ address, namespace: NAMESPACE })) || registerNamespace(address)),
    },
    startDeadlineMs: 120_000,
    stopSignal: 'SIGTERM',
    stopDeadlineMs: 20_000,
  }
}

/** Registers the namespace. Always returns false: the next probe finds it. */
async function registerNamespace(address: string): Promise<false> {
  try {
    const connection = await Connection.connect({ address, connectTimeout: 2_000 })
    try {
      await connection.workflowService.registerNamespace({
        namespace: NAMESPACE,
        workflowExecutionRetentionPeriod: msToTs(KEPT),
      })
    } finally {
      await connection.close()
    }
  } catch {
    // The server does not answer yet, or another process has registered it.
  }
  return false
}

function configuration({ ports, password }: TemporalServerOptions, dynamic: string): object {
  const [store, visibility] = Object.keys(TEMPORAL_DATABASES)
  const database = (databaseName: string) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      user: 'temporal',
      password,
      connectAddr: `127.0.0.1:${ports['postgres']}`,
      connectProtocol: 'tcp',
      maxConns: CONNECTIONS,
      maxIdleConns: CONNECTIONS,
      maxConnLifetime: '1h',
    },
  })
  const service = (grpc: string, ring: string) => ({
    rpc: { grpcPort: ports[grpc], membershipPort: ports[ring], bindOnIP: '127.0.0.1' },
  })
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'store',
      visibilityStore: 'visibility',
      numHistoryShards: HISTORY_SHARDS,
      datastores: { store: database(store!), visibility: database(visibility!) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: {
      frontend: service('temporal', 'temporal-frontend-ring'),
      history: service('temporal-history', 'temporal-history-ring'),
      matching: service('temporal-matching', 'temporal-matching-ring'),
      worker: service('temporal-internal', 'temporal-internal-ring'),
    },
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `127.0.0.1:${ports['temporal']}`,
        },
      },
    },
    publicClient: { hostPort: `127.0.0.1:${ports['temporal']}` },
    dynamicConfigClient: { filepath: dynamic, pollInterval: '60s' },
  }
}

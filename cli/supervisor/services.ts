import { join } from 'node:path'
import { anvilArgs } from '../../sandbox/chain/anvil-args.ts'
import { anvilBinary } from '../../sandbox/chain/anvil-binary.ts'
import type { networks } from '../../sandbox/chain/networks.ts'
import { cacheFolder, programOf } from '../folders.ts'
import { httpAnswers } from './http-answers.ts'
import { listens } from './listens.ts'
import type { ServiceSpec } from './service.ts'

type Network = (typeof networks)[number]['id']
type Environment = Record<string, string>
type Ports = Readonly<Record<string, number>>

const node = (file: string, ...flags: string[]) => ({
  command: process.execPath,
  args: [...flags, programOf(file)],
})
/** V8 otherwise lets the young generation of a busy API grow to 128 MB. Only the command line can say so. */
export const API_FLAGS = ['--max-semi-space-size=16']
const LOCAL = { startDeadlineMs: 60_000, stopSignal: 'SIGTERM', stopDeadlineMs: 10_000 } as const

/** The first process of a kind has no number in its name. */
const nameOf = (kind: string, number: number) => (number === 1 ? kind : `${kind}-${number}`)
const metricsNameOf = (name: string) => `metrics-${name}`

/**
 * Gives each process its own port for metrics, from METRICS_PORT on. Each further process of a kind is ten
 * ports higher.
 */
export function metricsPorts({ apis, workers }: { apis: number; workers: number }): Record<string, number> {
  const first = Number(process.env['METRICS_PORT'])
  if (!(first > 0)) return {}
  const ports: Record<string, number> = { [metricsNameOf('gateway')]: first + 1 }
  for (let n = 1; n <= apis; n++) ports[metricsNameOf(nameOf('api', n))] = first + 10 * (n - 1)
  for (let n = 1; n <= workers; n++) ports[metricsNameOf(nameOf('worker', n))] = first + 2 + 10 * (n - 1)
  return ports
}

/** Sets METRICS_PORT to the port of the process, or removes it if the process has none. */
function withMetricsPort(env: Environment, name: string, ports: Ports): Environment {
  const { METRICS_PORT: _first, ...others } = env
  const port = ports[metricsNameOf(name)]
  return port === undefined ? others : { ...others, METRICS_PORT: String(port) }
}

/** A probe that succeeds when the process answers with the id of its installation. */
const answersAt = (url: string, env: Environment) => ({
  probe: () => httpAnswers(url, { installation: env['INSTALLATION_ID'] }),
})

/** One sandbox chain. When it is asked to stop it writes its state, which takes a moment. */
export function anvilService(options: {
  network: Network
  port: number
  stateFile: string
  /** Unix seconds; a new chain begins two years before. */
  anchor: number
  env: Environment
}) {
  const probe = { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}' }
  const headers = { 'content-type': 'application/json' }
  return {
    ...LOCAL,
    name: `anvil-${options.network}`,
    command: anvilBinary(),
    args: [],
    argsAtStart: () => anvilArgs(options),
    env: options.env,
    listensOn: [options.network],
    health: {
      probe: async (pid: number) =>
        (await httpAnswers(`http://127.0.0.1:${options.port}`, { ...probe, headers })) &&
        listens({ pid, port: options.port }) !== false,
    },
    stopSignal: 'SIGINT',
    stopDeadlineMs: 20_000,
  } satisfies ServiceSpec
}

/** A job that fills the sandbox chains and ends by itself. */
export function chainFillJob(env: Environment): ServiceSpec {
  return { ...LOCAL, ...node('sandbox/chain/fill.ts'), name: 'chain-fill', env, health: null }
}

/** The simulated upstreams. */
export function simulatorService({ port, env }: { port: number; env: Environment }): ServiceSpec {
  return {
    ...LOCAL,
    ...node('sandbox/main.ts'),
    name: 'sandbox',
    listensOn: ['sandbox'],
    env: { ...env, PORT: String(port) },
    health: answersAt(`http://127.0.0.1:${port}/health`, env),
  }
}

/** The embedded facilitator of the sandbox. Before it stops it finishes the settlements that it has begun. */
export function facilitatorService(options: {
  port: number
  /** Key of the facilitator's wallet. */
  key: string
  /** Address that gets test USDC. */
  payer: string
  env: Environment
}): ServiceSpec {
  const { port, key, payer, env } = options
  const own = { FACILITATOR_PORT: String(port), FACILITATOR_KEY: key, FACILITATOR_TEST_PAYER: payer }
  return {
    ...LOCAL,
    ...node('sandbox/facilitator/main.ts'),
    name: 'facilitator',
    listensOn: ['facilitator'],
    env: { ...env, ...own },
    health: answersAt(`http://127.0.0.1:${port}/supported`, env),
  }
}

/** The embedded OpenID provider. */
export function issuerService({ port, env: given }: { port: number; env: Environment }): ServiceSpec {
  const { EXCHANGE_KEYS: _workerOnly, METER_DATABASE_URL: _apiOnly, DATABASE_URL: _ownerOnly, ...env } = given
  return {
    ...LOCAL,
    ...node('web/issuer/main.ts'),
    name: 'issuer',
    listensOn: ['issuer'],
    env: { ...env, ISSUER_PORT: String(port) },
    health: answersAt(`http://127.0.0.1:${port}/.well-known/openid-configuration`, env),
  }
}

interface Process {
  env: Environment
  /** Ports of the run, for the port of its metrics. */
  ports?: Ports
  /** Number among the processes of its kind. */
  number?: number
}

/** The Temporal worker. It finishes its running activities before it stops. */
export function workerService({ env, ports = {}, number = 1 }: Process): ServiceSpec {
  const name = nameOf('worker', number)
  return {
    ...LOCAL,
    ...node('activities/worker.ts'),
    name,
    listensOn: [metricsNameOf(name)],
    env: { ...withMetricsPort(env, name, ports), WORKFLOW_CACHE: join(cacheFolder(), 'workflows') },
    health: { line: 'worker ready' },
    stopDeadlineMs: 15_000,
  }
}

/** The API. It answers accepted requests before it stops. It can seal credentials but not open them. */
export function apiService(options: Process & { port: number }): ServiceSpec {
  const { port, env, ports = {}, number = 1 } = options
  const name = nameOf('api', number)
  const { EXCHANGE_KEYS: _workerOnly, ...shared } = withMetricsPort(env, name, ports)
  return {
    ...LOCAL,
    ...node('api/main.ts', ...API_FLAGS),
    name,
    listensOn: [name, metricsNameOf(name)],
    env: { ...shared, API_PORT: String(port) },
    health: answersAt(`http://127.0.0.1:${port}/v1/status`, env),
    stopDeadlineMs: 28_000,
  }
}

/**
 * The gateway. It answers and settles accepted requests before it stops. It cannot open anything of an
 * account.
 */
export function gatewayService(options: Omit<Process, 'number'> & { port: number }): ServiceSpec {
  const { port, env: given, ports = {} } = options
  const withMetrics = withMetricsPort(given, 'gateway', ports)
  const { EXCHANGE_KEYS: _workerOnly, METER_DATABASE_URL: _apiOnly, ...env } = withMetrics
  return {
    ...LOCAL,
    ...node('gateway/main.ts'),
    name: 'gateway',
    listensOn: ['gateway', metricsNameOf('gateway')],
    env,
    health: answersAt(`http://127.0.0.1:${port}/openapi.json`, env),
    stopDeadlineMs: 43_000,
  }
}

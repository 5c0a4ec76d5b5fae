import { join } from 'node:path'
import { anvilArgs } from '../../sandbox/chain/anvil-args.ts'
import { anvilBinary } from '../../sandbox/chain/anvil-binary.ts'
import type { networks } from '../../sandbox/chain/networks.ts'
import { cacheFolder, ROOT } from '../folders.ts'
import { httpAnswers } from './http-answers.ts'
import type { ServiceSpec } from './service.ts'

type Network = (typeof networks)[number]['id']
type Environment = Record<string, string>

const node = (file: string) => ({ command: process.execPath, args: [join(ROOT, file)] })
const LOCAL = { startDeadlineMs: 60_000, stopSignal: 'SIGTERM', stopDeadlineMs: 10_000 } as const

/** Each process serves its metrics on a port of its own: METRICS_PORT, and those after it. */
function withMetricsPort(env: Environment, after: number): Environment {
  const first = Number(env['METRICS_PORT'])
  return first > 0 ? { ...env, METRICS_PORT: String(first + after) } : env
}

/** The first of a kind has its plain name. The others' metrics are ten ports further on for each. */
const nameOf = (kind: string, number: number) => (number === 1 ? kind : `${kind}-${number}`)
const portsAfter = (number: number) => 10 * (number - 1)

/** One sandbox chain. It writes its state when it is asked to end, which takes a moment. */
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
    args: anvilArgs(options),
    env: options.env,
    health: { probe: () => httpAnswers(`http://127.0.0.1:${options.port}`, { ...probe, headers }) },
    stopSignal: 'SIGINT',
    stopDeadlineMs: 20_000,
  } satisfies ServiceSpec
}

/** Fills the sandbox chains; ends by itself. */
export function chainFillJob(env: Environment): ServiceSpec {
  return { ...LOCAL, ...node('sandbox/chain/fill.ts'), name: 'chain-fill', env, health: null }
}

/** The simulated upstreams. */
export function simulatorService({ port, env }: { port: number; env: Environment }): ServiceSpec {
  const health = { probe: () => httpAnswers(`http://127.0.0.1:${port}/health`) }
  return {
    ...LOCAL,
    ...node('sandbox/main.ts'),
    name: 'sandbox',
    env: { ...env, PORT: String(port) },
    health,
  }
}

/** The embedded facilitator of the sandbox. It settles what it has begun before it ends. */
export function facilitatorService(options: {
  port: number
  /** Of the facilitator's wallet. */
  key: string
  /** Who is given test USDC. */
  payer: string
  env: Environment
}): ServiceSpec {
  const { port, key, payer, env } = options
  const own = { FACILITATOR_PORT: String(port), FACILITATOR_KEY: key, FACILITATOR_TEST_PAYER: payer }
  const health = { probe: () => httpAnswers(`http://127.0.0.1:${port}/supported`) }
  return { ...LOCAL, ...node('facilitator/main.ts'), name: 'facilitator', env: { ...env, ...own }, health }
}

/** The embedded OpenID provider of the sandbox. */
export function issuerService({ url, env }: { url: string; env: Environment }): ServiceSpec {
  const health = { probe: () => httpAnswers(`${url}/.well-known/openid-configuration`) }
  return { ...LOCAL, ...node('issuer/main.ts'), name: 'issuer', env, health }
}

/** The Temporal worker. It finishes the activities in hand before it ends. */
export function workerService(given: Environment, number = 1): ServiceSpec {
  const env = {
    ...withMetricsPort(given, 2 + portsAfter(number)),
    WORKFLOW_CACHE: join(cacheFolder(), 'workflows'),
  }
  const own = { name: nameOf('worker', number), env, health: { line: 'worker ready' } }
  return { ...LOCAL, ...node('activities/worker.ts'), ...own, stopDeadlineMs: 15_000 }
}

/** The API. It answers what it has accepted before it ends. It seals credentials and never opens them. */
export function apiService(options: { port: number; env: Environment; number?: number }): ServiceSpec {
  const { port, env: given, number = 1 } = options
  const { EXCHANGE_KEYS: _workerOnly, ...shared } = withMetricsPort(given, portsAfter(number))
  const env = { ...shared, API_PORT: String(port) }
  const health = { probe: () => httpAnswers(`http://127.0.0.1:${port}/v1/status`) }
  return {
    ...LOCAL,
    ...node('api/main.ts'),
    name: nameOf('api', number),
    env,
    health,
    stopDeadlineMs: 28_000,
  }
}

/** The gateway. It answers and settles what it has accepted before it ends. It opens nothing of an account. */
export function gatewayService({ port, env: given }: { port: number; env: Environment }): ServiceSpec {
  const { EXCHANGE_KEYS: _workerOnly, METER_DATABASE_URL: _apiOnly, ...env } = withMetricsPort(given, 1)
  const health = { probe: () => httpAnswers(`http://127.0.0.1:${port}/openapi.json`) }
  return { ...LOCAL, ...node('gateway/main.ts'), name: 'gateway', env, health, stopDeadlineMs: 43_000 }
}

import { openTarget } from '../export/open-target.ts'
import type { Target } from '../export/target.ts'
import { NETWORKS } from '../db/values/networks.ts'
import { PLACES } from '../db/values/task-queues.ts'
import { webAddress } from '../ops/settings/kinds.ts'
import { byDistance } from '../ops/settings/nearest.ts'
import { type Environment, readParts, readSettings } from '../ops/settings/read-settings.ts'
import { SettingsError } from '../ops/settings/settings-error.ts'
import { AREAS } from './all-areas.ts'
import { readHeartbeatUrl, readReceiverConfig } from './incidents/config.ts'
import { EXTRA_NODES, PUBLIC_NODES } from './nodes/public-nodes.ts'
import type { SourceSpec } from './area.ts'
import type { IngestConfig, SourceConfig, SourcePlan, WorkerConfig } from './ingest-config.ts'

/** The local simulator needs no protection: the first start loads two years of prices in seconds. */
const SANDBOX_LIMIT = { requestsPerSecond: 400, burst: 50 }

/** Throws one SettingsError that lists every missing or invalid setting. */
export function readWorkerConfig(env: Environment): WorkerConfig {
  const { services, own, ...incidents } = readParts({
    services: () => readSettings(env, { required: ['INGEST_DATABASE_URL', 'TEMPORAL_ADDRESS'] }),
    own: () => readIngestConfig(env),
    receivers: () => readReceiverConfig(env),
    heartbeatUrl: () => readHeartbeatUrl(env),
  })
  return {
    ...own,
    ...incidents,
    ingestDatabaseUrl: services.INGEST_DATABASE_URL,
    temporalAddress: services.TEMPORAL_ADDRESS,
  }
}

/** The settings of ingestion without those of the services. */
export function readIngestConfig(env: Environment): IngestConfig {
  const { data, ...parts } = readParts({
    data: () =>
      readSettings(env, {
        optional: [
          ...(['TEMPORAL_NAMESPACE', 'SOURCES', 'LOG_LEVEL', 'EXCHANGE_KEYS', 'AS_OF_DAYS'] as const),
          ...(['RECORD_DIR', 'WORKFLOW_CACHE', 'NODE_BUDGETS', 'WEBHOOK_ALLOWED_HOSTS'] as const),
          ...(['WALLET_DAILY_LIMIT', 'WORKER_PLACES', 'WORKER_VERSION'] as const),
        ],
      }),
    sources: () => readSources(env),
    rpcUrls: () => readRpcUrls(env),
    followedNetworks: () => readFollowed(env),
    exportTarget: () => readExportTarget(env),
  })
  return {
    ...parts,
    temporalNamespace: data.TEMPORAL_NAMESPACE,
    logLevel: data.LOG_LEVEL,
    walletDailyLimit: data.WALLET_DAILY_LIMIT,
    workerPlaces: { ...PLACES, ...data.WORKER_PLACES },
    workerVersion: data.WORKER_VERSION || null,
    nodeBudgets: data.NODE_BUDGETS ?? new Map(),
    exchangeKeys: (data.EXCHANGE_KEYS ?? '').split(',').filter((key) => key !== ''),
    webhookHosts: data.WEBHOOK_ALLOWED_HOSTS ?? new Set(),
    asOfDays: data.AS_OF_DAYS,
    recordFolder: data.RECORD_DIR ?? null,
    bundleFolder: data.WORKFLOW_CACHE ?? null,
  }
}

function readExportTarget(env: Environment): Target | null {
  readSettings(env, { optional: ['S3_ENDPOINT'] })
  if (!env['EXPORT_TO']) return null
  try {
    return openTarget(env['EXPORT_TO'], env)
  } catch (error) {
    throw new SettingsError([`EXPORT_TO cannot be used: ${(error as Error).message}`])
  }
}

function readSources(env: Environment): WorkerConfig['sources'] {
  const read = AREAS.flatMap((area) => area.sources).map((spec) => [spec.name, () => readSource(spec, env)])
  const sources = readParts(Object.fromEntries(read) as Record<string, () => SourceConfig | null>)
  return Object.fromEntries(
    Object.entries(sources).filter((entry): entry is [string, SourceConfig] => entry[1] !== null),
  )
}

/** null: the source is off */
function readSource(spec: SourceSpec, env: Environment): SourceConfig | null {
  const { url, limit } = readParts({
    url: () => readAddress(env, spec.urlVariable) ?? defaultUrlOf(spec, env),
    limit: () => limitOf(spec, env),
  })
  if (url === null || sourceOff(spec, env) !== null) return null
  const key = (spec.key && env[spec.key.variable]) || null
  return { url: url.replace(/\/$/, ''), key, ...limit, plan: planOf(spec, { url, env }) }
}

export const hasKey = ({ key }: SourceSpec, env: Environment) =>
  key !== undefined && Boolean(env[key.variable])

/** The address of a source unless its variable names another one. */
export const defaultUrlOf = (spec: SourceSpec, env: Environment): string | null =>
  (hasKey(spec, env) && spec.key?.defaultUrl) || spec.defaultUrl

function planOf(spec: SourceSpec, { url, env }: { url: string; env: Environment }): SourcePlan {
  if (isSimulated(spec, env) || (spec.key?.paidUrl && url.startsWith(spec.key.paidUrl))) return 'full'
  return spec.key && !hasKey(spec, env) ? 'keyless' : 'free'
}

/** Whether a source is the sandbox's, or a service of the operator's own. */
const isSimulated = (spec: SourceSpec, env: Environment) =>
  env['SOURCES'] !== 'live' && Boolean(env[spec.urlVariable])

function readAddress(env: Environment, name: string): string | null {
  const given = env[name]
  if (!given) return null
  const read = webAddress.safeParse(given)
  if (!read.success) throw new SettingsError([`${name} ${read.error.issues[0]!.message}`])
  return given
}

/**
 * The variable that would switch the source on, or null if it is on. A custom base URL may need no key. In
 * the sandbox only the simulator is asked.
 */
export function sourceOff(spec: SourceSpec, env: Environment): string | null {
  if (env[spec.urlVariable]) return null
  if (env['SOURCES'] === 'sandbox') return spec.urlVariable
  if (spec.defaultUrl === null) return spec.urlVariable
  if (spec.key?.isRequired && !env[spec.key.variable]) return spec.key.variable
  return null
}

/** Name of the variable `<SOURCE>_RPS`, which overrides the rate limit. */
export const limitVariable = ({ urlVariable }: SourceSpec): string => urlVariable.replace(/_URL$/, '_RPS')

/** The rate limit of a source. `<SOURCE>_RPS` overrides it, for other plans. */
export function limitOf(spec: SourceSpec, env: Environment): { requestsPerSecond: number; burst: number } {
  const name = limitVariable(spec)
  const text = env[name]
  if (text) {
    const requestsPerSecond = Number(text)
    if (!(requestsPerSecond > 0)) throw new SettingsError([`${name} is "${text}": give a number above 0`])
    return { requestsPerSecond, burst: Math.max(1, Math.floor(requestsPerSecond)) }
  }
  const { keyless } = spec
  if (keyless && !hasKey(spec, env) && !isSimulated(spec, env))
    return { requestsPerSecond: keyless.requestsPerSecond, burst: keyless.burst }
  if (env['SOURCES'] !== 'live' && env[spec.urlVariable]) return SANDBOX_LIMIT
  const { variable, instant } = spec.key ?? {}
  if (instant && env[variable!] === instant.value)
    return { requestsPerSecond: instant.requestsPerSecond, burst: instant.burst }
  return { requestsPerSecond: spec.requestsPerSecond, burst: spec.burst }
}

/** Prefix of the variables `RPC_URL_<NETWORK>`. */
export const RPC_PREFIX = 'RPC_URL_'

/** The variable with the nodes of a network. */
export const rpcVariable = (networkId: string): string =>
  `${RPC_PREFIX}${networkId.toUpperCase().replaceAll('-', '_')}`

function readFollowed(env: Environment): string[] {
  const { FOLLOW_NETWORKS } = readSettings(env, { optional: ['FOLLOW_NETWORKS'] })
  if (!FOLLOW_NETWORKS) return followedByDefault(env)
  if (FOLLOW_NETWORKS === 'none') return []
  const networks = FOLLOW_NETWORKS.split(',').flatMap((name) => name.trim() || [])
  const problems = networks.flatMap((network) => {
    if (NETWORKS.some(({ id, blockMs }) => id === network && blockMs === null))
      return [`FOLLOW_NETWORKS names "${network}", whose head cannot be followed: its wallets are polled`]
    const variable = lackingFor(network, env)
    return variable === null ? [] : [`FOLLOW_NETWORKS names "${network}", but ${variable} is not set`]
  })
  if (problems.length > 0) throw new SettingsError(problems)
  return networks
}

/**
 * With live sources, all that can be read: polling each wallet takes more than explorers and the public Esplora give
 * without a paid plan.
 */
function followedByDefault(env: Environment): string[] {
  if (env['SOURCES'] !== 'live') return []
  const able = NETWORKS.filter(({ blockMs }) => blockMs !== null)
  return able.flatMap(({ id }) => (lackingFor(id, env) === null ? [id] : []))
}

/** The variable that a network needs to be followed. null: it has nodes */
function lackingFor(network: string, env: Environment): string | null {
  if (network === 'bitcoin') {
    const spec = AREAS.flatMap((area) => area.sources).find(({ name }) => name === 'esplora')
    return spec ? sourceOff(spec, env) : 'ESPLORA_URL'
  }
  const variable = rpcVariable(network)
  return env[variable] || (env['SOURCES'] === 'live' && PUBLIC_NODES[network]) ? null : variable
}

/** Addresses of nodes, comma-separated. */
function readAddresses(env: Environment, name: string): string[] {
  const given = (env[name] ?? '').split(',').map((part) => part.trim())
  const wrong = given.map((one) => webAddress.safeParse(one)).find((read) => !read.success)
  if (wrong) throw new SettingsError([`${name} ${wrong.error.issues[0]!.message}`])
  return [...new Set(given)]
}

/** The nodes of each network. With live sources, public ones stand in where none is set. */
function readRpcUrls(env: Environment): Record<string, readonly string[]> {
  const { extra, own } = readParts({ extra: () => readExtraNetworks(env), own: () => readOwnNodes(env) })
  return { ...(env['SOURCES'] === 'live' && { ...PUBLIC_NODES, ...extra }), ...own }
}

/** The public nodes of the networks in EXTRA_NETWORKS. */
function readExtraNetworks(env: Environment): Record<string, readonly string[]> {
  const { EXTRA_NETWORKS = '' } = readSettings(env, { optional: ['EXTRA_NETWORKS'] })
  const names = EXTRA_NETWORKS.split(',').flatMap((name) => name.trim() || [])
  const problems = names.flatMap((name) => {
    if (!Object.hasOwn(EXTRA_NODES, name)) {
      const close = byDistance(name, Object.keys(EXTRA_NODES)).slice(0, 3).join(', ')
      return [`EXTRA_NETWORKS names "${name}", which is no such network. Close to it: ${close}`]
    }
    const variable = rpcVariable(name)
    return env['SOURCES'] === 'live' || env[variable]
      ? []
      : [`EXTRA_NETWORKS names "${name}", but ${variable} is not set`]
  })
  if (problems.length > 0) throw new SettingsError(problems)
  return Object.fromEntries(names.map((name) => [name, EXTRA_NODES[name]!]))
}

function readOwnNodes(env: Environment): Record<string, readonly string[]> {
  const names = Object.keys(env).filter((name) => name.startsWith(RPC_PREFIX) && env[name])
  const urls = readParts(Object.fromEntries(names.map((name) => [name, () => readAddresses(env, name)])))
  return Object.fromEntries(
    Object.entries(urls).map(([name, url]) => [
      name.slice(RPC_PREFIX.length).toLowerCase().replaceAll('_', '-'),
      url,
    ]),
  )
}

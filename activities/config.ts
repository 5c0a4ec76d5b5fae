import { openTarget } from '../export/open-target.ts'
import type { Target } from '../export/target.ts'
import { AREAS } from './areas.ts'
import type { SourceSpec } from './area.ts'

export interface SourceConfig {
  url: string
  key: string | null
  requestsPerSecond: number
  burst: number
}

/** The worker's environment, read once at start. */
export interface WorkerConfig {
  ingestDatabaseUrl: string
  temporalAddress: string
  temporalNamespace: string
  logLevel: string
  /** Base URL, key and allowance by source name; a source that is not listed is off. */
  sources: Record<string, SourceConfig>
  /** JSON-RPC URL by network id; a network that is not listed is off. */
  rpcUrls: Record<string, string>
  /** Key-encryption keys of exchange credentials, the newest first; none: accounts cannot be synced. */
  exchangeKeys: readonly string[]
  /** For how many days what was replaced is kept: as far back answers may be asked for. */
  asOfDays: number
  /** Where analysts find the exports; null: there are none by themselves. */
  exportTarget: Target | null
  /** Folder that gets a fixture of each answer; null: no recording. */
  recordFolder: string | null
  /** For the bundled workflows; null: they are bundled at each start. */
  bundleFolder: string | null
}

type Environment = Record<string, string | undefined>

/** The local simulator has no allowance to spare: first start loads two years of prices in seconds. */
const SANDBOX_LIMIT = { requestsPerSecond: 400, burst: 50 }

export function readWorkerConfig(env: Environment): WorkerConfig {
  return {
    ingestDatabaseUrl: required(env, 'INGEST_DATABASE_URL'),
    temporalAddress: required(env, 'TEMPORAL_ADDRESS'),
    temporalNamespace: env['TEMPORAL_NAMESPACE'] || 'default',
    logLevel: env['LOG_LEVEL'] || 'info',
    sources: readSources(env),
    rpcUrls: readRpcUrls(env),
    exchangeKeys: (env['EXCHANGE_KEYS'] ?? '').split(',').filter((key) => key !== ''),
    asOfDays: readDays(env['AS_OF_DAYS'] || '400'),
    exportTarget: env['EXPORT_TO'] ? openTarget(env['EXPORT_TO'], env) : null,
    recordFolder: env['RECORD_DIR'] || null,
    bundleFolder: env['WORKFLOW_CACHE'] || null,
  }
}

function readDays(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new Error(`AS_OF_DAYS is not a number of days: ${text}`)
  return Number(text)
}

function readSources(env: Environment): WorkerConfig['sources'] {
  const sources: WorkerConfig['sources'] = {}
  for (const spec of AREAS.flatMap((area) => area.sources)) {
    const url = env[spec.urlVariable] || spec.defaultUrl
    if (url === null || sourceOff(spec, env) !== null) continue
    const key = spec.keyVariable === null ? null : env[spec.keyVariable] || null
    sources[spec.name] = { url: url.replace(/\/$/, ''), key, ...limitOf(spec, env) }
  }
  return sources
}

/**
 * The name of the variable that would switch the source on; null: it is on. A base URL of one's own may need no key. In
 * the sandbox nothing but the simulator is asked.
 */
export function sourceOff(spec: SourceSpec, env: Environment): string | null {
  if (env[spec.urlVariable]) return null
  if (env['SOURCES'] === 'sandbox') return spec.urlVariable
  if (spec.defaultUrl === null) return spec.urlVariable
  if (spec.keyRequired && spec.keyVariable !== null && !env[spec.keyVariable]) return spec.keyVariable
  return null
}

/** `<SOURCE>_RPS` overrides the allowance, for a plan that gives another one. */
export function limitOf(spec: SourceSpec, env: Environment): { requestsPerSecond: number; burst: number } {
  const name = spec.urlVariable.replace(/_URL$/, '_RPS')
  const text = env[name]
  if (text) {
    const requestsPerSecond = Number(text)
    if (!(requestsPerSecond > 0)) throw new Error(`${name} is not a positive number: ${text}`)
    return { requestsPerSecond, burst: Math.max(1, Math.floor(requestsPerSecond)) }
  }
  if (env['SOURCES'] !== 'live' && env[spec.urlVariable]) return SANDBOX_LIMIT
  return { requestsPerSecond: spec.requestsPerSecond, burst: spec.burst }
}

const RPC_PREFIX = 'RPC_URL_'

function readRpcUrls(env: Environment): Record<string, string> {
  const urls: Record<string, string> = {}
  for (const [name, url] of Object.entries(env)) {
    if (!name.startsWith(RPC_PREFIX) || !url) continue
    urls[name.slice(RPC_PREFIX.length).toLowerCase().replaceAll('_', '-')] = url
  }
  return urls
}

function required(env: Environment, name: string): string {
  const value = env[name]
  if (!value) throw new Error(`${name} is not set`)
  return value
}

import { join } from 'node:path'
import { firstOf, programOnPath, workingProgram } from '../find-program.ts'
import { goInstall } from '../go-install.ts'
import { downloadTemporal } from './download-temporal.ts'

const TEMPORAL_VERSION = '1.5.1'
const VERSION_TIMEOUT_MS = 20_000

/** A server that somebody else runs, or the program to run one with. */
export type TemporalChoice = { address: string } | { program: string; origin: string }

export interface FetchOptions {
  version: string
  /** Where the program must be afterwards. */
  target: string
  env: NodeJS.ProcessEnv
  log: (line: string) => void
}

interface FindOptions {
  env: NodeJS.ProcessEnv
  cacheFolder: string
  log: (line: string) => void
  /** The two ways to fetch the program; each rejects with the reason when it cannot. */
  download?: (options: FetchOptions) => Promise<void>
  build?: (options: FetchOptions) => Promise<void>
}

/**
 * Finds Temporal in the order: TEMPORAL_ADDRESS, `temporal` on PATH, the cache, the official download, a build with Go.
 * When all fail the error names each try and why it failed.
 */
export async function findTemporal(options: FindOptions): Promise<TemporalChoice> {
  const { env, cacheFolder, log, download = downloadTemporal, build = buildTemporal } = options
  if (env.TEMPORAL_ADDRESS) return { address: env.TEMPORAL_ADDRESS }
  const target = cachedTemporal(cacheFolder)
  const fetch = { version: TEMPORAL_VERSION, target, env, log }
  const found = await firstOf(
    [
      { origin: 'PATH', find: () => onPath(env.PATH ?? '') },
      { origin: 'cache', find: () => working(target) },
      { origin: 'download', find: () => download(fetch).then(() => working(target)) },
      { origin: 'go install', find: () => build(fetch).then(() => working(target)) },
    ],
    (origin, failure) => origin === 'download' && log(`Temporal: ${failure}`),
  )
  if ('program' in found) return found
  const failures = ['TEMPORAL_ADDRESS: not set', ...found.failures]
  throw new Error(
    `Temporal ${TEMPORAL_VERSION} was not found. What was tried:\n${failures.map((line) => `  - ${line}`).join('\n')}\n` +
      `Set TEMPORAL_ADDRESS to a running server, or put the Temporal CLI on PATH or at ${target}.`,
  )
}

export function cachedTemporal(cacheFolder: string): string {
  return join(cacheFolder, `temporal-${TEMPORAL_VERSION}`, 'temporal')
}

/** Takes 2 to 4 minutes on two cores. */
const buildTemporal = (options: FetchOptions) =>
  goInstall({ ...options, name: 'Temporal', program: 'github.com/temporalio/cli/cmd/temporal' })

const working = (program: string) => workingProgram(program, VERSION_TIMEOUT_MS)

async function onPath(path: string): Promise<string> {
  const program = await programOnPath(path, ['temporal'])
  if (program === null) throw new Error('no program "temporal" there')
  return working(program)
}

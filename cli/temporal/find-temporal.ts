import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { buildTemporal } from './build-temporal.ts'
import { downloadTemporal } from './download-temporal.ts'

const run = promisify(execFile)

const TEMPORAL_VERSION = '1.5.1'

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
  const failures = ['TEMPORAL_ADDRESS: not set']
  const tries: { origin: string; find: () => Promise<string> }[] = [
    { origin: 'PATH', find: () => onPath(env.PATH ?? '') },
    { origin: 'cache', find: () => working(target) },
    { origin: 'download', find: () => download(fetch).then(() => working(target)) },
    { origin: 'go install', find: () => build(fetch).then(() => working(target)) },
  ]
  for (const { origin, find } of tries) {
    try {
      return { program: await find(), origin }
    } catch (error) {
      failures.push(`${origin}: ${(error as Error).message}`)
      if (origin === 'download') log(`Temporal: ${failures.at(-1)}`)
    }
  }
  throw new Error(
    `Temporal ${TEMPORAL_VERSION} was not found. What was tried:\n${failures.map((line) => `  - ${line}`).join('\n')}\n` +
      `Set TEMPORAL_ADDRESS to a running server, or put the Temporal CLI on PATH or at ${target}.`,
  )
}

export function cachedTemporal(cacheFolder: string): string {
  return join(cacheFolder, `temporal-${TEMPORAL_VERSION}`, 'temporal')
}

async function onPath(path: string): Promise<string> {
  for (const folder of path.split(delimiter).filter((entry) => entry !== '')) {
    const program = join(folder, 'temporal')
    if (await isExecutable(program)) return working(program)
  }
  throw new Error('no program "temporal" there')
}

/** The program itself, once it has told its version. */
async function working(program: string): Promise<string> {
  if (!(await isExecutable(program))) throw new Error(`${program} is not there`)
  try {
    await run(program, ['--version'], { timeout: 20_000 })
  } catch (error) {
    throw new Error(`${program} does not run: ${(error as Error).message.trim()}`, { cause: error })
  }
  return program
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  )
}

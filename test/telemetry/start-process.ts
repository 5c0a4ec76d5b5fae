import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { BARE_ENVIRONMENT } from '../setup/bare-environment.ts'

export interface LogLine {
  time: number
  level: number
  name: string
  msg: string
  [field: string]: unknown
}

export interface TestProcess {
  child: ChildProcess
  /** Address of metrics and probes. */
  operatorUrl: string
  /** Address that it serves; empty: none. */
  url: string
  lines: LogLine[]
  ask: (path: string) => Promise<{ status: number; text: string }>
  end: () => Promise<number>
}

/**
 * Starts a process of the installation with probes and metrics on a free port; resolves when it serves them.
 */
export async function startProcess(file: string, env: Record<string, string>): Promise<TestProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../..', file)], {
    env: { ...BARE_ENVIRONMENT, METRICS_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: LogLine[] = []
  let url = ''
  const operatorUrl = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`${file} ended before it was up`)))
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as LogLine
      lines.push(line)
      url ||= /http:\/\/127\.0\.0\.1:\d+/.exec(line.msg)?.[0] ?? ''
      if (line.msg.startsWith('metrics and probes')) resolve(`http://127.0.0.1:${String(line['port'])}`)
    })
  })
  const ask = async (path: string) => {
    const response = await fetch(operatorUrl + path)
    return { status: response.status, text: await response.text() }
  }
  async function end(): Promise<number> {
    if (child.exitCode !== null) return child.exitCode
    const ended = once(child, 'exit') as Promise<[number]>
    child.kill('SIGTERM')
    return (await ended)[0]
  }
  return { child, operatorUrl, url, lines, ask, end }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface Call {
  method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'
  /** Below the address, with the query. */
  path: string
  headers?: Record<string, string>
  /** null: the program gives its client none. */
  body?: string | null
}

export interface Answer {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  body: string
}

export interface StandardClient {
  call: (call: Call) => Promise<Answer>
  /** Number of calls so far. */
  calls: () => number
  stop: () => Promise<void>
}

/**
 * Starts a program that makes HTTP calls with the standard client of its language. It reads a call from each
 * line and prints the answer as a line.
 */
export function startStandardClient(options: {
  program: string
  script: string
  url: string
}): StandardClient {
  const child = spawn(options.program, [options.script, options.url], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'close').then(
    ([code]) => new Error(`${options.script} ended with ${String(code)}`),
    (error: Error) => error,
  )
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let calls = 0
  async function call({ method, path, headers = {}, body = null }: Call): Promise<Answer> {
    calls++
    child.stdin.write(`${JSON.stringify({ method, path, headers, body })}\n`)
    const { done, value } = await lines.next()
    if (done) throw await ended
    const told = JSON.parse(value) as Answer | { failure: string }
    if ('failure' in told) throw new Error(`${method} ${path}: ${told.failure}`)
    return told
  }
  async function stop(): Promise<void> {
    child.stdin.end()
    await ended
  }
  return { call, calls: () => calls, stop }
}

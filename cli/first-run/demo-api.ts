import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { reasonOf } from '../explain-error.ts'
import { PAUSE_MS, Refused } from './attempt.ts'

/** Resolves to the body of an answer with status 2xx. */
export type Send = (method: string, path: string, body?: unknown) => Promise<unknown>

interface DemoApiOptions {
  apiUrl: string
  key: string
  deadlineMs: number
}

/** Client errors that may pass: the data does not exist yet, or the API is busy. */
const PASSING = [404, 408, 409, 425, 429]

/**
 * Calls the API as the demo account and retries until the deadline while there is no answer or one that may
 * change. A write has its effect once, however often it is sent.
 */
export function demoApi({ apiUrl, key, deadlineMs }: DemoApiOptions): Send {
  return async (method, path, body) => {
    const headers = {
      'x-api-key': key,
      prefer: 'handling=strict',
      ...(body !== undefined && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
    }
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    for (;;) {
      const answer = await ask(`${apiUrl}${path}`, init)
      if (answer.ok) return answer.body
      const said = `${method} ${path.split('?', 1)[0]} answers: ${answer.said}`
      if (answer.isFinal) throw new Refused(said)
      if (Date.now() >= deadlineMs) throw new Error(said)
      await sleep(PAUSE_MS)
    }
  }
}

type Answer = { ok: true; body: unknown } | { ok: false; said: string; isFinal: boolean }

async function ask(url: string, init: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) })
    const text = await response.text()
    if (response.ok) return { ok: true, body: JSON.parse(text) }
    const { status } = response
    const isFinal = status >= 400 && status < 500 && !PASSING.includes(status)
    return { ok: false, said: `${status} ${text.slice(0, 200)}`, isFinal }
  } catch (error) {
    return { ok: false, said: reasonOf(error), isFinal: false }
  }
}

import { subscribe } from 'node:diagnostics_channel'
import { readFileSync, unlinkSync } from 'node:fs'
import pg from 'pg'

// The crash test loads this before the gateway: it kills the process with SIGKILL at one of its steps. The
// file DIE_FILE says when: "<database function>:before|after:<nth time>" or "POST <path>:before|after:<nth
// time>". The file is deleted before the kill.

const file = process.env['DIE_FILE']!
let armed = ''
let times = 0

/** Whether to kill the process at this moment of this step. */
function isEnd(step: string, moment: 'before' | 'after'): boolean {
  let plan: string
  try {
    plan = readFileSync(file, 'utf8')
  } catch {
    return false
  }
  const [plannedStep, plannedMoment, nth] = plan.split(':')
  if (step !== plannedStep || moment !== plannedMoment) return false
  if (plan !== armed) times = 0
  armed = plan
  return ++times === Number(nth)
}

function die(): void {
  unlinkSync(file)
  process.kill(process.pid, 'SIGKILL')
}

type Query = (...args: unknown[]) => unknown
const prototype = pg.Client.prototype as unknown as { query: Query }
const { query } = prototype

prototype.query = function (this: unknown, ...args: unknown[]): unknown {
  const { name } = (args[0] ?? {}) as { name?: string }
  if (name === undefined) return query.apply(this, args)
  if (isEnd(name, 'before')) return die()
  if (!isEnd(name, 'after')) return query.apply(this, args)
  const callback = args.at(-1)
  // An answered statement is committed, because each of these statements is its own transaction.
  if (typeof callback === 'function') return query.apply(this, [...args.slice(0, -1), die])
  return (query.apply(this, args) as Promise<unknown>).then(die)
}

for (const [channel, moment] of [
  ['undici:request:create', 'before'],
  ['undici:request:trailers', 'after'],
] as const)
  subscribe(channel, (message) => {
    const { method, path } = (message as { request: { method: string; path: string } }).request
    if (isEnd(`${method} ${path}`, moment)) die()
  })

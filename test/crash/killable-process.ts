import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { cacheFolder } from '../../cli/folders.ts'
import type { CommitPoint } from './die-at-commit.ts'

/**
 * Runs a program that gets its plan as JSON. Resolves when it has ended or was killed, and rejects if it failed.
 * `command` starts the program through another one; after `killAfterMs` it is killed.
 */
export async function runKillable(options: {
  file: string
  plan: object
  command?: readonly string[]
  killAfterMs?: number
}): Promise<{ died: boolean; output: string }> {
  const { file, plan, command = [], killAfterMs } = options
  const [program, ...args] = [...command, process.execPath, file, JSON.stringify(plan)]
  const env = { ...process.env, NODE_COMPILE_CACHE: join(cacheFolder(), 'compiled') }
  const child = spawn(program!, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const killing = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  clearTimeout(killing)
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`${file} ended with ${code ?? signal}`)
  return { died: signal === 'SIGKILL', output: output.trim() }
}

/**
 * Has processes do the same work until one reaches its end. The first is killed just before its first commit, the
 * next just after it, then before and after the second one, and so on. Returns the number of kills.
 */
export async function survive(file: string, plan: (kills: number) => object): Promise<number> {
  for (let kills = 0; ; kills++) {
    const point: CommitPoint = {
      number: 1 + Math.floor(kills / 2),
      moment: kills % 2 === 0 ? 'before' : 'after',
    }
    const { died } = await runKillable({ file, plan: { ...plan(kills), point } })
    if (!died) return kills
  }
}

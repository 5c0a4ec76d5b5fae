import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Returns a function that runs operator commands as a process with these settings. */
export function sluiceOn(settings: Record<string, string>) {
  const main = join(import.meta.dirname, '../../cli/main.ts')
  const env = { ...process.env, ...settings }
  return (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { env, encoding: 'utf8' })
    return { status, stdout, stderr }
  }
}

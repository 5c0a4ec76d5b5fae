import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError } from '../command.ts'
import { isFree } from './free-port.ts'
import { lockPort } from './lock-port.ts'

/** Ports to try from the wanted one on. */
const TRIED = 200
/** A process that has just ended releases its port within this time. */
const PATIENCE_MS = 2_000

export interface Ports {
  /** Ports by name. A number changes when its port is lost to another program. */
  numbers: Record<string, number>
  /**
   * Checks ports on which nothing of ours listens. A port that another program took meanwhile is replaced by
   * the next free one. Returns the names that moved; names without a port are ignored.
   */
  recheck: (names: readonly string[]) => Promise<string[]>
  release: () => void
}

interface ReserveOptions {
  /** Preferred port by name. */
  wanted: Readonly<Record<string, number>>
  /** Address to listen on by name; default: 127.0.0.1. */
  hosts?: Readonly<Record<string, string>>
  log: (line: string) => void
}

/**
 * Reserves a port for each name, the wanted or the next free one. Other installations cannot take it until it
 * is released.
 */
export async function reservePorts({ wanted, hosts = {}, log }: ReserveOptions): Promise<Ports> {
  const numbers: Record<string, number> = {}
  const unlocks = new Map<string, () => void>()

  async function reserve(name: string): Promise<void> {
    const first = wanted[name]!
    const last = Math.min(first + TRIED, 65_536) - 1
    for (let port = first; port <= last; port++) {
      const unlock = await lockPort(port)
      if (!unlock) continue
      if (await isFree(port, hosts[name])) {
        numbers[name] = port
        unlocks.set(name, unlock)
        return
      }
      unlock()
    }
    throw new CommandError(
      `no port from ${first} to ${last} is free for ${name}, or this user may not open them: set another port`,
    )
  }

  async function isStillFree(name: string): Promise<boolean> {
    for (const end = Date.now() + PATIENCE_MS; ; await sleep(100)) {
      if (await isFree(numbers[name]!, hosts[name])) return true
      if (Date.now() > end) return false
    }
  }

  async function move(name: string): Promise<void> {
    const [lost, unlock] = [numbers[name]!, unlocks.get(name)!]
    await reserve(name)
    unlock()
    log(
      `port ${lost} (${name}) was taken by another program; ${name} now uses ${numbers[name]}. ` +
        `To use ${lost} again, stop that program and restart`,
    )
  }

  for (const [name, preferred] of Object.entries(wanted)) {
    await reserve(name)
    if (numbers[name] !== preferred)
      log(`port ${preferred} (${name}) is taken by another program; using ${numbers[name]}`)
  }
  return {
    numbers,
    recheck: async (names) => {
      const moved: string[] = []
      for (const name of names) {
        if (numbers[name] === undefined || (await isStillFree(name))) continue
        await move(name)
        moved.push(name)
      }
      return moved
    },
    release: () => {
      for (const unlock of unlocks.values()) unlock()
      unlocks.clear()
    },
  }
}

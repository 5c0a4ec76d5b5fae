import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError } from '../command.ts'
import { isFree } from './free-port.ts'
import { lockPort } from './lock-port.ts'

/** How many numbers are tried from the wanted one on. */
const TRIED = 200
/** A process that has just ended gives its port back within this time. */
const PATIENCE_MS = 2_000

export interface Ports {
  /** By name. Changes when a port is lost to another program. */
  numbers: Record<string, number>
  /**
   * Looks at ports that nothing of ours listens on. One that another program took meanwhile is given up for the next
   * free one. Returns the names of those that moved; names that have no port are ignored.
   */
  recheck: (names: readonly string[]) => Promise<string[]>
  release: () => void
}

interface ReserveOptions {
  /** The preferred port of each name. */
  wanted: Readonly<Record<string, number>>
  /** Where a name listens; 127.0.0.1 unless it is given. */
  hosts?: Readonly<Record<string, string>>
  log: (line: string) => void
}

/** A port for each name, its own or the next one that is free, kept from other installations until it is released. */
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
      `None of the ports ${first} to ${last} can be used for ${name}: they are taken, or this user may not open them.`,
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
      `port ${lost} (${name}) was taken by another program; ${name} is at ${numbers[name]} from now on. ` +
        `To have ${lost} again, stop that program and start anew`,
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

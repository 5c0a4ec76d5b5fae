import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

const LISTENING = '0A'

/**
 * Whether a process, or one of the group that it leads, listens on a TCP port. Another program could answer
 * at that port. null: the system does not tell.
 */
export function listens({ pid, port }: { pid: number; port: number }): boolean | null {
  try {
    const sockets = socketsOf(port)
    return sockets.size > 0 && [pid, ...groupOf(pid)].some((one) => hasOneOf(one, sockets))
  } catch {
    return null
  }
}

/** Returns the sockets that listen on the port, by their inode. */
function socketsOf(port: number): Set<string> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const lines = ['tcp', 'tcp6'].flatMap((table) => readTable(table).split('\n').slice(1))
  const rows = lines.map((line) => line.trim().split(/\s+/))
  const own = rows.filter(([, local, , state]) => state === LISTENING && local!.endsWith(suffix))
  return new Set(own.map((row) => `socket:[${row[9]}]`))
}

function readTable(name: string): string {
  try {
    return readFileSync(`/proc/net/${name}`, 'utf8')
  } catch (error) {
    // A system without IPv6 has no such table.
    if (name === 'tcp6') return ''
    throw error
  }
}

function hasOneOf(pid: number, sockets: ReadonlySet<string>): boolean {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).some((fd) => {
    try {
      return sockets.has(readlinkSync(`${folder}/${fd}`))
    } catch {
      return false
    }
  })
}

/** Returns the other processes of the group. */
function groupOf(leader: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== leader)
    .map(Number)
    .filter((pid) => groupNumberOf(pid) === leader)
}

function groupNumberOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2])
  } catch {
    return null
  }
}

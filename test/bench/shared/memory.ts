import { readFile } from 'node:fs/promises'

/** Memory of a process in MB, in which what it shares with others counts in part. Rejects if it has ended. */
export async function memoryMbOf(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)![1]) / 1024
}

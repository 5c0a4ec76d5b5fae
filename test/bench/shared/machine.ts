import { readFile } from 'node:fs/promises'
import { cpus, loadavg, totalmem } from 'node:os'

/** Describes the machine in one line. */
export function machineLine(): string {
  const memory = `${(totalmem() / 2 ** 30).toFixed(0)} GiB`
  const date = new Date().toISOString().slice(0, 10)
  return `${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}, ${memory}, Node ${process.versions.node}, ${date}`
}

/** Why figures would be meaningless now. null: the machine is idle */
export function busyReason(): string | null {
  const [load = 0] = loadavg()
  return load > 1 ? `the machine was busy before the start (load ${load.toFixed(1)})` : null
}

/** Peak resident memory of a process in MB. */
export async function peakRssMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024)
}

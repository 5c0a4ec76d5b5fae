import { format } from 'node:util'
import { vi } from 'vitest'
import { runCommandLine } from '../../cli/run-command-line.ts'

/** Like `sluiceOn`, but without a process, whose start costs more than most commands. */
export function sluiceHere(settings: Record<string, string>) {
  return async (...args: string[]) => {
    const before = Object.keys(process.env)
    const printed = { log: '', error: '' }
    for (const name of ['log', 'error'] as const)
      vi.spyOn(console, name).mockImplementation(
        (...words) => void (printed[name] += `${format(...words)}\n`),
      )
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
    try {
      const status = await runCommandLine(args)
      return { status, stdout: printed.log, stderr: printed.error }
    } finally {
      vi.unstubAllEnvs()
      // A process of its own would forget what it read from the settings file.
      for (const name of Object.keys(process.env)) if (!before.includes(name)) delete process.env[name]
      vi.restoreAllMocks()
    }
  }
}

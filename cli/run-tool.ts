import { spawn } from 'node:child_process'
import { ROOT } from './folders.ts'

interface RunToolOptions {
  env?: Record<string, string>
  /** Collects the output instead of showing it. */
  quiet?: boolean
}

export interface ToolResult {
  code: number
  output: string
}

/**
 * Runs a program in the project's folder until it exits. Signals and the loss of the launcher are passed on.
 */
export function runTool(
  command: string,
  args: readonly string[],
  { env, quiet = false }: RunToolOptions = {},
): Promise<ToolResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    })
    const output: Buffer[] = []
    child.stdout?.on('data', (chunk: Buffer) => output.push(chunk))
    child.stderr?.on('data', (chunk: Buffer) => output.push(chunk))
    const interrupt = () => child.kill('SIGINT')
    const terminate = () => child.kill('SIGTERM')
    process.on('SIGINT', interrupt)
    for (const event of ['SIGTERM', 'SIGHUP', 'disconnect']) process.on(event, terminate)
    child.once('error', reject)
    child.once('close', (code) => {
      process.off('SIGINT', interrupt)
      for (const event of ['SIGTERM', 'SIGHUP', 'disconnect']) process.off(event, terminate)
      resolve({ code: code ?? 1, output: Buffer.concat(output).toString() })
    })
  })
}

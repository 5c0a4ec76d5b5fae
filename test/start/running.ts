import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ownerUrl } from '../../cli/postgres/postgres-service.ts'
import { readSecrets } from '../../cli/secrets.ts'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { readRun } from '../../cli/supervisor/run-file.ts'

export const LAUNCHER = join(import.meta.dirname, '../../cli/launch.mjs')

/** The first of three ports, below those that systems use for outgoing connections. */
const METRICS_PORT = 19464

export interface RunningSluice {
  /** http://127.0.0.1:PORT/v1 */
  url: string
  /** Its SLUICE_HOME. */
  home: string
  /** Port of its gateway. */
  gatewayPort: number
  /** Ports of the metrics. */
  metricsPorts: { api: number; worker: number }
  key: string
  /** Wallet that the first run has synced. */
  wallet: string
  /** Returns everything that was printed. */
  output: () => string
  /** Sends a signal to the launcher if it still runs, and resolves when it has ended. */
  end: (signal?: NodeJS.Signals) => Promise<void>
  /** Ends it and deletes its home. */
  stop: () => Promise<void>
}

interface StartOptions {
  command?: 'start' | 'topology'
  /** Command that starts the launcher; absent: this Node with the launcher of this checkout. */
  through?: readonly [program: string, ...args: string[]]
  /**
   * Empty folder, or home of an installation, which is kept; absent: a temporary folder, which `stop`
   * deletes.
   */
  home?: string
  /** Additional settings. */
  env?: Record<string, string>
}

/**
 * Runs `npm start`, or another command that starts an installation, with a shorter history of the chains.
 * Resolves when it has printed its summary.
 */
export async function startSluice(options: StartOptions = {}): Promise<RunningSluice> {
  const { command = 'start', through = [process.execPath, LAUNCHER], home = temporaryHome() } = options
  const port = await freePort()
  const own = {
    SLUICE_HOME: home,
    TEMPORAL_ADDRESS: '',
    SANDBOX_SCALE: '0.3',
    API_PORT: String(port),
    METRICS_PORT: String(METRICS_PORT),
  }
  const env = { ...process.env, ...own, ...options.env }
  const [program, ...args] = through
  const launcher = spawn(program, [...args, command], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(launcher, 'exit')
  const printed: string[] = []
  const output = () => printed.join('\n')
  const summary = new Promise<void>((resolve, reject) => {
    createInterface({ input: launcher.stdout }).on('line', (line) => {
      printed.push(line)
      if (line.startsWith('*** SANDBOX')) resolve()
    })
    // Everything that it printed has arrived by then.
    void once(launcher, 'close').then(() => reject(new Error(`it ended before its summary:\n${output()}`)))
  })
  const end = async (signal: NodeJS.Signals = 'SIGINT') => {
    launcher.kill(signal)
    await exited
  }
  const stop = async () => {
    await end()
    if (options.home === undefined) rmSync(home, { recursive: true, force: true })
  }
  try {
    await summary
  } catch (error) {
    await stop()
    throw error
  }
  const found = (pattern: RegExp) => pattern.exec(output())![1]!
  const [key, wallet] = [found(/^API key +(\S+)/m), found(/^Wallet +(\S+)/m)]
  const { ports } = readRun(home)!
  return {
    url: `http://127.0.0.1:${ports['api']}/v1`,
    home,
    gatewayPort: ports['gateway']!,
    metricsPorts: { api: ports['metrics-api']!, worker: ports['metrics-worker']! },
    key,
    wallet,
    output,
    end,
    stop,
  }
}

/** Returns the owner's URL of the database of a running installation. */
export function databaseUrlOf(home: string): string {
  const [port, { owner: ownerPassword }] = [readRun(home)!.ports['postgres']!, readSecrets(home)!]
  return ownerUrl({ port, ownerPassword, database: 'sluice' })
}

function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'sluice-walk-'))
  chmodSync(home, 0o755)
  return home
}

import { refuseWrongSettings } from '../check-environment.ts'
import { CommandError } from '../command.ts'
import { homeFolder } from '../folders.ts'
import { prepareHome } from '../prepare-home.ts'
import { readSettings } from '../../settings/read-settings.ts'
import { choosePorts } from './choose-ports.ts'
import { endStaleRun } from './end-stale-run.ts'
import { keepOrigin } from './keep-origin.ts'
import { openPrivateHome } from './private-home.ts'
import { markOf } from './process-mark.ts'
import type { Run } from './run-file.ts'
import type { Parts } from './start-parts.ts'
import { createSupervisor } from './supervisor.ts'

/** A second Ctrl-C that comes sooner is the same one, forwarded by npm or the launcher. */
const SECOND_SIGNAL_MS = 1_000

const startMs = Date.now()

interface SuperviseOptions {
  /** Where parts listen that only this installation has, unless the port is taken. */
  ports?: Readonly<Record<string, number>>
  startAll: (parts: Parts) => Promise<unknown>
}

/** Starts everything, runs it until a signal comes, and ends it. Resolves to the exit code. */
export async function supervise({ ports = {}, startAll }: SuperviseOptions): Promise<number> {
  const home = homeFolder()
  refuseWrongSettings(process.env, log)
  await prepareHome(home)
  openPrivateHome(home)
  const other = await endStaleRun(home, log)
  if (other)
    throw new CommandError(
      `it runs already: http://127.0.0.1:${other.ports.api} (pid ${other.supervisor.pid}, data in ${home}).\n` +
        `Stop it with Ctrl-C in its terminal or "kill ${other.supervisor.pid}", or set SLUICE_HOME for another one.`,
    )
  const run = await newRun(ports, log)
  keepOrigin(home, run.sources)
  const supervisor = createSupervisor({ home, run, log })
  const signal = stopSignal(() => void supervisor.kill().then(() => process.exit(130)))
  let code = 0
  // Nothing that goes wrong here may leave the processes without a supervisor.
  process.on('uncaughtException', (error) => {
    code = 1
    log(`unexpected: ${error.stack ?? error.message}`)
    process.emit('SIGTERM')
  })
  try {
    await Promise.race([startAll({ home, run, supervisor, log }), signal])
    log(`${await signal}: stopping`)
  } catch (error) {
    code = 1
    log(error instanceof CommandError ? error.message : `cannot start: ${(error as Error).message}`)
    log(`the full output of each process is in ${home}/logs`)
  }
  await supervisor.stop()
  log('everything is stopped')
  return code
}

/** What runs from now on, by this environment. `more`: where parts listen that only this installation has. */
export async function newRun(
  more: Readonly<Record<string, number>>,
  log: (line: string) => void,
): Promise<Run> {
  const { SOURCES: sources } = readSettings(process.env, { optional: ['SOURCES'] })
  const { API_PORT, GATEWAY_PORT, TEMPORAL_ADDRESS } = process.env
  const ports = await choosePorts(log, {
    ...more,
    ...(API_PORT && { api: Number(API_PORT) }),
    ...(GATEWAY_PORT && { gateway: Number(GATEWAY_PORT) }),
  })
  if (sources !== 'sandbox' || process.env.X402_FACILITATOR_URL) delete ports['facilitator']
  if (sources !== 'sandbox' || process.env.OIDC_ISSUER) delete ports['issuer']
  if (TEMPORAL_ADDRESS) delete ports['temporal-ui']
  const temporalAddress = TEMPORAL_ADDRESS || `127.0.0.1:${ports['temporal']}`
  return { supervisor: markOf(process.pid)!, children: {}, ports, temporalAddress, sources }
}

/** Resolves to the reason to stop: a signal, or the loss of the launcher. A second signal is for the impatient. */
function stopSignal(onSecond: () => void): Promise<string> {
  return new Promise((resolve) => {
    let firstMs = 0
    const onSignal = (reason: string) => {
      if (firstMs === 0) firstMs = Date.now()
      else if (Date.now() - firstMs > SECOND_SIGNAL_MS) onSecond()
      resolve(reason)
    }
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal)
    process.on('disconnect', () => onSignal('the launcher is gone'))
  })
}

function log(line: string): void {
  console.log(`[${((Date.now() - startMs) / 1000).toFixed(1).padStart(5)} s] ${line}`)
}

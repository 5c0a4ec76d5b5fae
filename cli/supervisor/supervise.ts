import { refuseWrongSettings, settingsIn } from '../check-environment.ts'
import { CommandError } from '../command.ts'
import { homeFolder } from '../folders.ts'
import { prepareHome } from '../prepare-home.ts'
import { readSettings } from '../../ops/settings/read-settings.ts'
import { endStaleRun } from './end-stale-run.ts'
import { installationId } from './installation-id.ts'
import { keepOrigin } from './keep-origin.ts'
import { openPrivateHome } from './private-home.ts'
import { markOf } from './process-mark.ts'
import { type Ports, reservePorts } from './reserve-ports.ts'
import { claimRun, readRun, type Run } from './run-file.ts'
import { type Layout, startAll } from './start-all.ts'
import { metricsPorts } from './services.ts'
import { createSupervisor } from './supervisor.ts'

/** A second signal within this time is the same Ctrl-C, forwarded by npm or the launcher. */
const SECOND_SIGNAL_MS = 1_000

const startMs = Date.now()

/** Preferred ports, all below those that systems use for outgoing connections. */
const PORTS = {
  all: { api: 8080, gateway: 8402, postgres: 15432 },
  temporal: { temporal: 17233, 'temporal-ui': 18233 },
  sandbox: { ethereum: 18545, 'base-wallet': 18546, sandbox: 18080 },
  facilitator: { facilitator: 18402 },
  issuer: { issuer: 18081 },
}

/** Starts everything, runs it until a signal arrives, and stops it. Resolves to the exit code. */
export async function supervise(layout: Layout): Promise<number> {
  const home = homeFolder()
  refuseWrongSettings(process.env, log)
  await prepareHome(home)
  openPrivateHome(home)
  const other = await endStaleRun(home, log)
  if (other) throw runsAlready(home, other)
  const { run, ports } = await newRun(home, layout, log)
  keepOrigin(home, run.sources)
  if (!claimRun(home, run)) throw runsAlready(home, readRun(home))
  const supervisor = createSupervisor({ home, run, ports, log })
  const signal = stopSignal(() => void supervisor.kill().then(() => process.exit(130)))
  let code = 0
  // An error in the supervisor must not leave processes behind.
  process.on('uncaughtException', (error) => {
    code = 1
    log(`unexpected: ${error.stack ?? error.message}`)
    process.emit('SIGTERM')
  })
  try {
    await Promise.race([startAll({ home, run, supervisor, log }, layout), signal])
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

function runsAlready(home: string, other: Run | null): CommandError {
  const pid = other?.supervisor.pid
  const where = other ? `http://127.0.0.1:${other.ports.api} (pid ${pid}, data in ${home})` : home
  return new CommandError(
    `it runs already: ${where}.\n` +
      `Stop it with Ctrl-C in its terminal or "sluice down", or set SLUICE_HOME to start another one.`,
  )
}

/** Creates the run of this environment and reserves its ports. */
export async function newRun(
  home: string,
  layout: Layout,
  log: (line: string) => void,
): Promise<{ run: Run; ports: Ports }> {
  const { SOURCES: sources } = readSettings(process.env, { optional: ['SOURCES'] })
  const { API_PORT, GATEWAY_PORT, ISSUER_PORT, TEMPORAL_ADDRESS, X402_FACILITATOR_URL, OIDC_ISSUER } =
    process.env
  const isSandbox = sources === 'sandbox'
  const metrics = metricsPorts(layout)
  const { API_HOST, GATEWAY_HOST, ISSUER_HOST, METRICS_HOST } = process.env
  const ports = await reservePorts({
    wanted: {
      ...PORTS.all,
      ...(API_PORT && { api: Number(API_PORT) }),
      ...(GATEWAY_PORT && { gateway: Number(GATEWAY_PORT) }),
      ...(!TEMPORAL_ADDRESS && PORTS.temporal),
      ...(isSandbox && PORTS.sandbox),
      ...(isSandbox && !X402_FACILITATOR_URL && PORTS.facilitator),
      ...(!OIDC_ISSUER && (ISSUER_PORT ? { issuer: Number(ISSUER_PORT) } : PORTS.issuer)),
      ...layout.ports,
      ...metrics,
    },
    hosts: {
      ...(API_HOST && { api: API_HOST }),
      ...(GATEWAY_HOST && { gateway: GATEWAY_HOST }),
      ...(ISSUER_HOST && { issuer: ISSUER_HOST }),
      ...(METRICS_HOST && Object.fromEntries(Object.keys(metrics).map((name) => [name, METRICS_HOST]))),
    },
    log,
  })
  const run = {
    supervisor: markOf(process.pid)!,
    children: {},
    ports: ports.numbers,
    sources,
    settings: settingsIn(process.env),
    installation: installationId(home),
    // A getter, because the own server may move to another port.
    get temporalAddress() {
      return TEMPORAL_ADDRESS || `127.0.0.1:${ports.numbers['temporal']}`
    },
  } satisfies Run
  return { run, ports }
}

/**
 * Resolves to the reason to stop: a signal, or the loss of the launcher. A second signal calls `onSecond`.
 */
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

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../command.ts'
import { firstRun } from '../first-run/first-run.ts'
import { homeFolder } from '../folders.ts'
import { sandboxEnvironment, serviceEnvironment } from '../service-environment.ts'
import type { Secrets } from '../secrets.ts'
import { choosePorts } from '../supervisor/choose-ports.ts'
import { endStaleRun } from '../supervisor/end-stale-run.ts'
import { markOf } from '../supervisor/process-mark.ts'
import type { Run } from '../supervisor/run-file.ts'
import {
  apiService,
  facilitatorService,
  gatewayService,
  issuerService,
  simulatorService,
  workerService,
} from '../supervisor/services.ts'
import { testPayer } from '../test-payer.ts'
import {
  type Parts,
  type SandboxWallet,
  startChains,
  startDatabase,
  startTemporal,
} from '../supervisor/start-parts.ts'
import { createSupervisor } from '../supervisor/supervisor.ts'

/** A second Ctrl-C that comes sooner is the same one, forwarded by npm or the launcher. */
const SECOND_SIGNAL_MS = 1_000

const startMs = Date.now()

/** Sets everything up, runs it until a signal comes, and ends it. */
export async function run(): Promise<number> {
  const home = homeFolder()
  mkdirSync(home, { recursive: true })
  const other = await endStaleRun(home, log)
  if (other)
    throw new CommandError(
      `it runs already: http://127.0.0.1:${other.ports.api} (pid ${other.supervisor.pid}, data in ${home}).\n` +
        `Stop it with Ctrl-C in its terminal or "kill ${other.supervisor.pid}", or set SLUICE_HOME for another one.`,
    )
  const run = await newRun()
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

/** Each part starts as soon as those it needs are up; the chains are filled meanwhile. */
async function startAll(parts: Parts): Promise<void> {
  const { home, run, supervisor } = parts
  const sandbox = startSandbox(parts)
  const database = startDatabase(parts)
  const environmentOf = (secrets: Secrets) => environment(serviceEnvironment({ run, secrets }))
  const api = database.then((secrets) =>
    supervisor.keep(() => apiService({ port: run.ports.api!, env: environmentOf(secrets) })),
  )
  const worker = Promise.all([database, startTemporal(parts), sandbox.up]).then(([secrets]) =>
    supervisor.keep(() => workerService(environmentOf(secrets))),
  )
  const facilitator = Promise.all([database, sandbox.wallets]).then(([secrets]) =>
    startFacilitator(parts, secrets),
  )
  const gateway = Promise.all([database, facilitator]).then(([secrets]) =>
    startGateway(parts, environmentOf(secrets)),
  )
  const issuer = database.then((secrets) => startIssuer(parts, secrets, environmentOf(secrets)))
  const [secrets, wallets] = await Promise.all([database, sandbox.wallets, api, worker, gateway, issuer])
  const apiUrl = `http://127.0.0.1:${run.ports.api}/v1`
  const demoUser =
    run.ports['issuer'] === undefined
      ? null
      : {
          ...{ password: secrets.demoPassword, operatorPassword: secrets.operatorPassword },
          shellSecret: secrets.shellSecret,
        }
  const env = environmentOf(secrets)
  const gatewayUrl = run.ports['facilitator'] === undefined ? null : env['X402_PUBLIC_URL']!
  await firstRun({ home, env, demoUser, apiUrl, gatewayUrl, wallets, log })
  log(`${apiUrl} serves; Ctrl-C stops everything`)
}

/** `up`: the upstreams answer; `wallets`: the chains are filled. */
function startSandbox(parts: Parts): { up: Promise<unknown>; wallets: Promise<SandboxWallet[]> } {
  const { run, supervisor } = parts
  if (run.sources !== 'sandbox') return { up: Promise.resolve(), wallets: Promise.resolve([]) }
  const env = environment(sandboxEnvironment(run.ports))
  const chainsUp = Promise.withResolvers<void>()
  const wallets = startChains(parts, { env, onUp: chainsUp.resolve })
  const simulator = () => simulatorService({ port: run.ports.sandbox!, env })
  return { up: chainsUp.promise.then(() => supervisor.keep(simulator)), wallets }
}

/** It settles on the sandbox chain, once that is filled; not started when payments go to another one. */
async function startFacilitator({ run, supervisor }: Parts, secrets: Secrets): Promise<void> {
  const { facilitator: port, ...ports } = run.ports
  if (port === undefined) return
  const env = environment(sandboxEnvironment(ports))
  const wallets = { key: secrets.facilitatorKey, payer: testPayer(secrets).address }
  await supervisor.keep(() => facilitatorService({ port, env, ...wallets }))
}

/** With live sources the operator says who is paid, and who settles; without that nothing is sold. */
async function startGateway({ run, supervisor }: Parts, env: Record<string, string>): Promise<void> {
  const missing = ['X402_PAY_TO', 'X402_FACILITATOR_URL'].filter((name) => !env[name])
  if (missing.length > 0) return log(`the gateway is off: set ${missing.join(' and ')}`)
  await supervisor.keep(() => gatewayService({ port: run.ports['gateway']!, env }))
}

/** Not started when there is another OpenID provider. */
async function startIssuer(
  { home, run, supervisor }: Parts,
  secrets: Secrets,
  env: Record<string, string>,
): Promise<void> {
  if (run.ports['issuer'] === undefined) return
  const own = {
    ISSUER_KEYS: join(home, 'issuer-keys.json'),
    ...{ ISSUER_PASSWORD: secrets.demoPassword, ISSUER_OPERATOR_PASSWORD: secrets.operatorPassword },
    ...{ ISSUER_SHELL_SECRET: secrets.shellSecret },
  }
  await supervisor.keep(() => issuerService({ url: env['OIDC_ISSUER']!, env: { ...env, ...own } }))
}

async function newRun(): Promise<Run> {
  const sources = process.env.SOURCES ?? 'sandbox'
  if (sources !== 'sandbox' && sources !== 'live')
    throw new CommandError(`SOURCES is "${sources}"; it can be "sandbox" or "live"`)
  const { API_PORT, GATEWAY_PORT, TEMPORAL_ADDRESS } = process.env
  const ports = await choosePorts(log, {
    ...(API_PORT && { api: Number(API_PORT) }),
    ...(GATEWAY_PORT && { gateway: Number(GATEWAY_PORT) }),
  })
  if (sources !== 'sandbox' || process.env.X402_FACILITATOR_URL) delete ports['facilitator']
  if (sources !== 'sandbox' || process.env.OIDC_ISSUER) delete ports['issuer']
  if (TEMPORAL_ADDRESS) delete ports['temporal-ui']
  const temporalAddress = TEMPORAL_ADDRESS || `127.0.0.1:${ports['temporal']}`
  return { supervisor: markOf(process.pid)!, children: {}, ports, temporalAddress, sources }
}

/** What a child sees: this process's environment and what is set for it. */
function environment(own: Record<string, string>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return { ...Object.fromEntries(inherited), ...own }
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

import { join } from 'node:path'
import { firstRun } from '../first-run/first-run.ts'
import { linkDemoUsers } from '../first-run/link-demo-users.ts'
import { sandboxEnvironment, serviceEnvironment } from '../service-environment.ts'
import { readSecrets, type Secrets } from '../secrets.ts'
import { testPayer } from '../test-payer.ts'
import { keepAnchor } from './keep-anchor.ts'
import { readyLine } from './ready-line.ts'
import {
  apiService,
  facilitatorService,
  gatewayService,
  issuerService,
  simulatorService,
  workerService,
} from './services.ts'
import { type Parts, type SandboxWallet, startChains, startDatabase } from './start-parts.ts'

/** The differences between installations. */
export interface Layout {
  /** Preferred ports of the parts that only this layout has. */
  ports?: Readonly<Record<string, number>>
  /** Number of APIs. The first listens at the port `api` of the run, the others at `api-2` and so on. */
  apis: number
  workers: number
  /** Settings of the database server. */
  postgres?: Record<string, string>
  /** Starts a pooler between the database and its clients; absent: there is none. */
  startPooler?: (parts: Parts, secrets: Secrets) => Promise<unknown>
  startTemporal: (parts: Parts, database: Promise<Secrets>) => Promise<unknown>
}

/**
 * Starts each part as soon as the parts that it needs are up; the chains fill meanwhile. Resolves to their
 * environment.
 */
export async function startAll(parts: Parts, layout: Layout): Promise<Record<string, string>> {
  const { home, run, supervisor, log } = parts
  const isNew = readSecrets(home) === null
  const database = startDatabase(parts, layout.postgres)
  // In an existing home the chains and Temporal wait until its database is known not to be of a newer
  // release.
  const mayStart = isNew ? Promise.resolve() : database
  const sandbox = startSandbox(parts, mayStart)
  const temporal = mayStart.then(() => layout.startTemporal(parts, database))
  const pooled = database.then(async (secrets) => {
    await layout.startPooler?.(parts, secrets)
    return secrets
  })
  // Ports may change, so the environment is built again for each start.
  const environmentOf = (secrets: Secrets) => environment(serviceEnvironment({ run, secrets }))
  const { ports } = run
  const apis = pooled.then((secrets) =>
    Promise.all(
      numbersTo(layout.apis).map((number) => {
        const name = number === 1 ? 'api' : `api-${number}`
        return supervisor.keep(() =>
          apiService({ port: ports[name]!, ports, env: environmentOf(secrets), number }),
        )
      }),
    ),
  )
  const workers = Promise.all([pooled, temporal, sandbox.up]).then(([secrets]) =>
    Promise.all(
      numbersTo(layout.workers).map((number) =>
        supervisor.keep(() => workerService({ env: environmentOf(secrets), ports, number })),
      ),
    ),
  )
  const facilitator = Promise.all([database, sandbox.wallets]).then(([secrets]) =>
    startFacilitator(parts, secrets),
  )
  const gateway = Promise.all([pooled, facilitator]).then(([secrets]) =>
    startGateway(parts, () => environmentOf(secrets)),
  )
  const issuer = pooled.then((secrets) => startIssuer(parts, secrets, () => environmentOf(secrets)))
  const [secrets, wallets] = await Promise.all([database, sandbox.wallets, apis, workers, gateway, issuer])
  const apiUrl = `http://127.0.0.1:${run.ports.api}/v1`
  const demoUser =
    run.ports['issuer'] === undefined || run.sources !== 'sandbox'
      ? null
      : {
          password: secrets.demoPassword,
          operatorPassword: secrets.operatorPassword,
          shellSecret: secrets.shellSecret,
        }
  const env = environmentOf(secrets)
  const gatewayUrl = run.ports['facilitator'] === undefined ? null : env['X402_PUBLIC_URL']!
  await firstRun({ home, env, demoUser, apiUrl, gatewayUrl, wallets, log })
  supervisor.onMoved((names) => {
    if (names.includes('issuer') && run.sources === 'sandbox')
      linkDemoUsers({ home, env: environmentOf(secrets) }).catch((error: Error) =>
        log(`cannot link the users of the account page to their moved provider: ${error.message}`),
      )
  })
  log(readyLine(apiUrl))
  return env
}

const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)

/** `up`: the upstreams answer; `wallets`: the chains are filled. */
function startSandbox(
  parts: Parts,
  mayStart: Promise<unknown>,
): { up: Promise<unknown>; wallets: Promise<SandboxWallet[]> } {
  const { home, run, supervisor } = parts
  if (run.sources !== 'sandbox') return { up: Promise.resolve(), wallets: Promise.resolve([]) }
  const chainsUp = Promise.withResolvers<void>()
  const world = mayStart.then(() => {
    const anchor = keepAnchor(home)
    return { anchor, env: () => environment({ ...sandboxEnvironment(run), SANDBOX_ANCHOR: String(anchor) }) }
  })
  const wallets = world.then((told) => startChains(parts, { ...told, onUp: chainsUp.resolve }))
  const up = Promise.all([world, chainsUp.promise]).then(([{ env }]) =>
    supervisor.keep(() => simulatorService({ port: run.ports.sandbox!, env: env() })),
  )
  return { up, wallets }
}

/** Starts the facilitator for the filled sandbox chain, unless payments go to another facilitator. */
async function startFacilitator({ run, supervisor }: Parts, secrets: Secrets): Promise<void> {
  if (run.ports['facilitator'] === undefined) return
  const wallets = { key: secrets.facilitatorKey, payer: testPayer(secrets).address }
  await supervisor.keep(() =>
    facilitatorService({
      port: run.ports['facilitator']!,
      env: environment(sandboxEnvironment(run)),
      ...wallets,
    }),
  )
}

/**
 * Starts the gateway. With live sources the operator must set the payee and the facilitator; otherwise it
 * stays off.
 */
async function startGateway(
  { run: { ports }, supervisor, log }: Parts,
  env: () => Record<string, string>,
): Promise<void> {
  const told = env()
  const missing = ['X402_PAY_TO', 'X402_FACILITATOR_URL'].filter((name) => !told[name])
  if (missing.length > 0) return log(`the gateway is off: set ${missing.join(' and ')}`)
  await supervisor.keep(() => gatewayService({ port: ports['gateway']!, ports, env: env() }))
}

/** Starts the embedded OpenID provider, unless another one is set. */
async function startIssuer(
  { home, run, supervisor }: Parts,
  secrets: Secrets,
  env: () => Record<string, string>,
): Promise<void> {
  if (run.ports['issuer'] === undefined) return
  const own = {
    ISSUER_KEYS: join(home, 'issuer-keys.json'),
    ISSUER_SEALING_KEYS: secrets.issuerKeys.join(','),
    ISSUER_PASSWORD: secrets.demoPassword,
    ISSUER_OPERATOR_PASSWORD: secrets.operatorPassword,
    ISSUER_SHELL_SECRET: secrets.shellSecret,
  }
  await supervisor.keep(() => issuerService({ port: run.ports['issuer']!, env: { ...env(), ...own } }))
}

/** The environment of a child: that of this process and its own variables. */
function environment(own: Record<string, string>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return { ...Object.fromEntries(inherited), ...own }
}

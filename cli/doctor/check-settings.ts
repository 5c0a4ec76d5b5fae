import { doubtsOf, problemsOf } from '../check-environment.ts'
import { attempt, fail, type Finding, ok, warn } from './finding.ts'

type Environment = Record<string, string | undefined>

const DEADLINE_MS = 5_000

/** Checks the settings, that the secrets are set (without printing them), and the facilitator. */
export async function checkSettings(env: Environment, { offline }: { offline: boolean }): Promise<Finding[]> {
  return [
    ...environment(env),
    ...SECRETS.map(({ variable, what }) =>
      env[variable] ? ok(variable, 'set') : warn(variable, 'not set', `without it ${what}`),
    ),
    ...(await facilitator(env, offline)),
  ]
}

/** Checks the environment as "npm start" and each process read it. */
function environment(env: Environment): Finding[] {
  const problems = problemsOf(env)
  return [
    ...problems.map((problem) => fail('settings', problem, 'correct it: see docs/configuration.md')),
    ...doubtsOf(env).map((doubt) => warn('settings', doubt, 'correct the name, or unset the variable')),
    ...(problems.length === 0 ? [ok('settings', 'all settings are valid')] : []),
  ]
}

const SECRETS = [
  { variable: 'EXCHANGE_KEYS', what: 'exchange accounts cannot be synced (run "sluice exchanges new-key")' },
  {
    variable: 'EXCHANGE_SEAL_KEY',
    what: 'exchange accounts cannot be connected (run "sluice exchanges new-key")',
  },
  { variable: 'SHARE_PEPPER', what: 'portfolios cannot be shared with a passcode' },
  { variable: 'ACCOUNT_SECRET', what: 'there is no account page and no console' },
  { variable: 'X402_COOKIE_SECRETS', what: 'the gateway sells single calls but no sessions' },
]

async function facilitator(env: Environment, offline: boolean): Promise<Finding[]> {
  const [url, payTo] = [env['X402_FACILITATOR_URL'], env['X402_PAY_TO']]
  if (!url || !payTo) {
    const missing = Object.entries({ X402_PAY_TO: payTo, X402_FACILITATOR_URL: url }).filter(
      ([, value]) => !value,
    )
    const names = missing.map(([name]) => name).join(' and ')
    return [ok('gateway', `off: ${names} ${missing.length > 1 ? 'are' : 'is'} not set`)]
  }
  if (offline || !URL.canParse(url)) return []
  return attempt(
    'facilitator',
    async () => {
      const token = env['X402_FACILITATOR_TOKEN']
      const response = await fetch(`${url.replace(/\/$/, '')}/supported`, {
        signal: AbortSignal.timeout(DEADLINE_MS),
        ...(token && { headers: { authorization: `Bearer ${token}` } }),
      })
      if (response.ok) return ok('facilitator', `answers at ${new URL(url).host}`)
      return fail(
        'facilitator',
        `status ${response.status}`,
        'payments get 503 and cost nothing until it recovers',
      )
    },
    'check X402_FACILITATOR_URL. Payments get 503 until the facilitator answers',
  )
}

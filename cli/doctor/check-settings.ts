import { doubtsOf, problemsOf } from '../check-environment.ts'
import { attempt, fail, type Finding, ok, warn } from './finding.ts'

type Environment = Record<string, string | undefined>

const DEADLINE_MS = 5_000

/** Secrets that have to be there, never what they are, and who settles payments. */
export async function checkSettings(env: Environment, { offline }: { offline: boolean }): Promise<Finding[]> {
  return [
    ...environment(env),
    ...SECRETS.map(({ variable, what }) =>
      env[variable] ? ok(variable, 'set') : warn(variable, 'not set', `without it ${what}`),
    ),
    ...(await facilitator(env, offline)),
  ]
}

/** As "npm start" and each process see it. */
function environment(env: Environment): Finding[] {
  const problems = problemsOf(env)
  return [
    ...problems.map((problem) => fail('settings', problem, 'docs/configuration.md describes it')),
    ...doubtsOf(env).map((doubt) => warn('settings', doubt, 'correct its name, or unset it')),
    ...(problems.length === 0 ? [ok('settings', 'all that are set can be read')] : []),
  ]
}

const SECRETS = [
  { variable: 'EXCHANGE_KEYS', what: 'accounts at exchanges cannot be synced ("sluice exchanges new-key")' },
  {
    variable: 'EXCHANGE_SEAL_KEY',
    what: 'accounts at exchanges cannot be connected ("sluice exchanges new-key")',
  },
  { variable: 'SHARE_PEPPER', what: 'portfolios cannot be shared with a passcode' },
  { variable: 'ACCOUNT_SECRET', what: 'there is no account page and no console' },
  { variable: 'X402_COOKIE_SECRETS', what: 'what is bought at the gateway opens nothing for an hour' },
]

async function facilitator(env: Environment, offline: boolean): Promise<Finding[]> {
  const [url, payTo] = [env['X402_FACILITATOR_URL'], env['X402_PAY_TO']]
  if (!url || !payTo) {
    const missing = Object.entries({ X402_PAY_TO: payTo, X402_FACILITATOR_URL: url }).filter(
      ([, value]) => !value,
    )
    const names = missing.map(([name]) => name).join(' and ')
    return [ok('gateway', `nothing is sold: ${names} ${missing.length > 1 ? 'are' : 'is'} not set`)]
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
        'payments are answered 503 until it is well; they cost nothing',
      )
    },
    'is X402_FACILITATOR_URL right? Payments are answered 503 until it answers',
  )
}

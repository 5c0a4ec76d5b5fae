import { z } from 'zod'
import { DEMO_SUBJECT, OPERATOR_SUBJECT } from './demo-names.ts'

const schema = z.object({
  OIDC_ISSUER: z.url(),
  OIDC_AUDIENCE: z.string().min(1),
  OIDC_CLIENT_ID: z.string().min(1),
  OIDC_CLIENT_SECRET: z.string().min(1),
  ACCOUNT_URL: z.url(),
  ISSUER_KEYS: z.string().min(1),
  ISSUER_PASSWORD: z.string().min(1),
  ISSUER_OPERATOR_PASSWORD: z.string().min(1),
  ISSUER_SHELL_SECRET: z.string().min(1),
  INSTALLATION_ID: z.string().nullable().default(null),
})

export interface IssuerConfig {
  issuer: string
  audience: string
  /** The account page. */
  client: { id: string; secret: string; url: string }
  /** File with the signing keys. */
  keysFile: string
  /** Passwords of the users by their names. */
  users: Readonly<Record<string, string>>
  shellSecret: string
  /** Named in the answers, for the supervisor; null: nobody asks. */
  installation: string | null
}

/** Reads the environment once. Throws with the names of the variables that are missing or wrong. */
export function readIssuerConfig(env: Record<string, string | undefined>): IssuerConfig {
  const parsed = schema.safeParse(env)
  if (!parsed.success)
    throw new Error(
      `Set these variables: ${parsed.error.issues.map(({ path }) => path.join('.')).join(', ')}`,
    )
  const { data } = parsed
  return {
    ...{ issuer: data.OIDC_ISSUER, audience: data.OIDC_AUDIENCE },
    client: { id: data.OIDC_CLIENT_ID, secret: data.OIDC_CLIENT_SECRET, url: data.ACCOUNT_URL },
    ...{ keysFile: data.ISSUER_KEYS, shellSecret: data.ISSUER_SHELL_SECRET },
    installation: data.INSTALLATION_ID,
    users: { [DEMO_SUBJECT]: data.ISSUER_PASSWORD, [OPERATOR_SUBJECT]: data.ISSUER_OPERATOR_PASSWORD },
  }
}

import { hash } from 'node:crypto'
import type pg from 'pg'
import { callValue } from './call-value.ts'

// Role `issuer` may execute these functions but reads no table.

/** Only this hash of the token in a link is stored. */
export const hashInvitation = (token: string): Buffer => hash('sha256', token, 'buffer')

/** What a try to sign in found. null: nobody may sign in by this name now. */
export interface SignInTry {
  subject: string | null
  passwordHash: string | null
}

/** What a user signs in with. */
export interface UserProfile {
  name: string
  hasTotp: boolean
  /** How many recovery codes are left. */
  recoveryCodes: number
}

export type Users = ReturnType<typeof createUsers>

/** The users of the embedded OpenID provider. */
export function createUsers(pool: pg.Pool) {
  const value = <T>(call: string, values: unknown[]) => callValue<T>(pool, call, values)

  return {
    /** Brings the links of users to accounts to the address at which the provider runs from now on. */
    async adopt(issuer: string): Promise<void> {
      await value('adopt_users($1)', [issuer])
    },

    /** Whether a user may be signed in. */
    isEnabled: (subject: string) => value<boolean>('issuer_user($1)', [subject]),

    /** Counts a try. null: too many were wrong from this network. */
    async beginSignIn({ name, network }: { name: string; network: string }): Promise<SignInTry | null> {
      const { rows } = await pool.query<SignInTry>(
        'select subject, password_hash as "passwordHash" from begin_sign_in($1, $2)',
        [name, network],
      )
      return rows[0] ?? null
    },

    /** The try that `beginSignIn` counted was right. */
    async passSignIn({ name, network }: { name: string; network: string }): Promise<void> {
      await value('pass_sign_in($1, $2)', [name, network])
    },

    /** null: there is no such user, or it is disabled. */
    async profile(subject: string): Promise<UserProfile | null> {
      const { rows } = await pool.query<UserProfile>(
        'select name, has_totp as "hasTotp", recovery_codes as "recoveryCodes" from issuer_profile($1)',
        [subject],
      )
      return rows[0] ?? null
    },

    /** Also ends the sessions of the user at our pages. */
    async changePassword(subject: string, passwordHash: string): Promise<void> {
      await value('change_user_password($1, $2)', [subject, passwordHash])
    },

    async noteSignIn(subject: string): Promise<void> {
      await value('note_sign_in($1)', [subject])
    },

    /** The name of the user whom a link invites. null: it was used, replaced, or has expired. */
    invited: (token: string) => value<string | null>('invitation_of($1)', [hashInvitation(token)]),

    /** Uses a link. false: it was used, replaced, or has expired. */
    accept: (token: string, passwordHash: string) =>
      value<boolean>('accept_invitation($1, $2)', [hashInvitation(token), passwordHash]),
  }
}

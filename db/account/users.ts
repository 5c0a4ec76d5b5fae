import { hash } from 'node:crypto'
import type pg from 'pg'

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
  return {
    /** Brings the links of users to accounts to the address at which the provider runs from now on. */
    async adopt(issuer: string): Promise<void> {
      await pool.query('select adopt_users($1)', [issuer])
    },

    /** Whether a user may be signed in. */
    async isEnabled(subject: string): Promise<boolean> {
      const { rows } = await pool.query<{ found: boolean }>('select issuer_user($1) as found', [subject])
      return rows[0]!.found
    },

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
      await pool.query('select pass_sign_in($1, $2)', [name, network])
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
      await pool.query('select change_user_password($1, $2)', [subject, passwordHash])
    },

    async noteSignIn(subject: string): Promise<void> {
      await pool.query('select note_sign_in($1)', [subject])
    },

    /** The name of the user whom a link invites. null: it was used, replaced, or has expired. */
    async invited(token: string): Promise<string | null> {
      const { rows } = await pool.query<{ name: string | null }>('select invitation_of($1) as name', [
        hashInvitation(token),
      ])
      return rows[0]!.name
    },

    /** Uses a link. false: it was used, replaced, or has expired. */
    async accept(token: string, passwordHash: string): Promise<boolean> {
      const { rows } = await pool.query<{ done: boolean }>('select accept_invitation($1, $2) as done', [
        hashInvitation(token),
        passwordHash,
      ])
      return rows[0]!.done
    },
  }
}

import type { Generated } from 'kysely'

/** A person who signs in at the embedded OpenID provider. */
export interface UserRow {
  subject: Generated<string>
  name: string
  /** argon2id with its parameters and salt; null: none was chosen yet */
  password_hash: string | null
  created_at: Generated<Date>
  disabled_at: Date | null
  signed_in_at: Date | null
}

export interface UserInvitationRow {
  user_subject: string
  /** SHA-256 of the token in the link */
  hash: Buffer
  expires_at: Date
}

export interface SignInTryRow {
  kind: 'name' | 'address'
  key: string
  /** since the last right one */
  wrong: number
  locked_until: Date | null
  last_at: Date
}

/** A session, a sign-in that has begun, a grant or a code of the provider. */
export interface IssuerRecordRow {
  model: string
  /** SHA-256 of its id */
  hash: Buffer
  payload: unknown
  uid: string | null
  grant_id: string | null
  consumed_at: Date | null
  expires_at: Date
}

declare module '../schema.ts' {
  interface Database {
    users: UserRow
    user_invitations: UserInvitationRow
    sign_in_tries: SignInTryRow
    issuer_records: IssuerRecordRow
  }
}

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
  kind: 'name' | 'code' | 'address'
  key: string
  /** since the last right one */
  wrong: number
  locked_until: Date | null
  last_at: Date
}

/** The app that makes a user's codes; its secret is sealed. */
export interface UserTotpRow {
  user_subject: string
  key_id: string
  wrapped_key: Buffer
  ciphertext: Buffer
  /** null: the user has not entered a first code */
  confirmed_at: Date | null
  /** 30 s since 1970 of the newest code that was accepted */
  last_step: string | null
}

export interface UserRecoveryCodeRow {
  user_subject: string
  /** SHA-256 of the code */
  hash: Buffer
}

/** An Ethereum account with which a user signs in. */
export interface UserWalletRow {
  /** in lower case */
  address: string
  user_subject: string
  added_at: Generated<Date>
}

/** What a wallet was asked to sign; used once. */
export interface WalletChallengeRow {
  /** SHA-256 of the nonce */
  hash: Buffer
  /** the sign-in or the session to which it belongs */
  purpose: string
  address: string
  issued_at: Date
  expires_at: Date
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

/** An agent that reads an account over MCP, let in by a user of it. */
export interface ConnectedAgentRow {
  issuer: string
  user_subject: string
  client_id: string
  name: string
  connected_at: Generated<Date>
  /** at most a minute too old */
  last_used_at: Date | null
  /** null: it may read */
  ended_at: Date | null
}

declare module '../schema.ts' {
  interface Database {
    users: UserRow
    user_invitations: UserInvitationRow
    sign_in_tries: SignInTryRow
    user_totp: UserTotpRow
    user_recovery_codes: UserRecoveryCodeRow
    user_wallets: UserWalletRow
    wallet_challenges: WalletChallengeRow
    issuer_records: IssuerRecordRow
    connected_agents: ConnectedAgentRow
  }
}

import { hash } from 'node:crypto'
import type pg from 'pg'
import { callValue } from './call-value.ts'

// Role `issuer` may execute these functions but reads no table.

const hashNonce = (nonce: string): Buffer => hash('sha256', nonce, 'buffer')

export type UserWallets = ReturnType<typeof createUserWallets>

/** Ethereum accounts with which users sign in. Addresses are in lower case. */
export function createUserWallets(pool: pg.Pool) {
  const value = <T>(call: string, values: unknown[]) => callValue<T>(pool, call, values)

  return {
    /** Notes what a wallet is asked to sign. `purpose`: the sign-in or the session to which it belongs. */
    async ask(asked: {
      nonce: string
      purpose: string
      address: string
      issuedAt: Date
      seconds: number
    }): Promise<void> {
      const { nonce, purpose, address, issuedAt, seconds } = asked
      await value('keep_wallet_challenge($1, $2, $3, $4, $5)', [
        hashNonce(nonce),
        purpose,
        address,
        issuedAt,
        seconds,
      ])
    },

    /** Uses a nonce. null: it was used before, has expired, or is of something else. */
    async take(nonce: string, purpose: string): Promise<{ address: string; issuedAt: Date } | null> {
      const { rows } = await pool.query<{ address: string; issuedAt: Date }>(
        'select address, issued_at as "issuedAt" from take_wallet_challenge($1, $2)',
        [hashNonce(nonce), purpose],
      )
      return rows[0] ?? null
    },

    /** The user whom an account signs in. null: nobody. */
    userOf: (address: string) => value<string | null>('user_of_wallet($1)', [address]),

    /** false: the account signs in another user. */
    add: (subject: string, address: string) => value<boolean>('add_user_wallet($1, $2)', [subject, address]),

    async list(subject: string): Promise<{ address: string; addedAt: Date }[]> {
      const { rows } = await pool.query<{ address: string; addedAt: Date }>(
        'select address, added_at as "addedAt" from user_wallet_list($1)',
        [subject],
      )
      return rows
    },

    async remove(subject: string, address: string): Promise<void> {
      await value('remove_user_wallet($1, $2)', [subject, address])
    },

    /** Counts a try before it is checked. false: too many from this network were wrong. */
    begin: (network: string) => value<boolean>('begin_network_try($1)', [network]),

    /** The try that `begin` counted was right. */
    async pass(network: string): Promise<void> {
      await value('pass_network_try($1)', [network])
    },
  }
}

import { hash } from 'node:crypto'
import type pg from 'pg'
import { callValue } from './call-value.ts'
import type { SealedSecret } from '../values/sealed-secret.ts'

// Role `issuer` may execute these functions but reads no table.

const hashCode = (code: string): Buffer => hash('sha256', code, 'buffer')

export type UserCodes = ReturnType<typeof createUserCodes>

/** The second step of a sign-in: codes of an app (TOTP) and recovery codes. */
export function createUserCodes(pool: pg.Pool) {
  const value = <T>(call: string, values: unknown[]) => callValue<T>(pool, call, values)

  return {
    /** Stores the sealed secret of an app that the user has yet to confirm. false: the user has an app. */
    keep: (subject: string, { keyId, wrappedKey, ciphertext }: SealedSecret) =>
      value<boolean>('keep_user_totp($1, $2, $3, $4)', [subject, keyId, wrappedKey, ciphertext]),

    /** null: the user has no app. */
    async secret(subject: string): Promise<{ sealed: SealedSecret; isConfirmed: boolean } | null> {
      const { rows } = await pool.query<SealedSecret & { isConfirmed: boolean }>(
        `select key_id as "keyId", wrapped_key as "wrappedKey", ciphertext, is_confirmed as "isConfirmed"
         from user_totp_secret($1)`,
        [subject],
      )
      const [row] = rows
      if (!row) return null
      const { isConfirmed, ...sealed } = row
      return { sealed, isConfirmed }
    },

    /** Turns the app on after its first code, and stores recovery codes. false: there is no app to confirm. */
    confirm: (subject: string, step: number, recoveryCodes: readonly string[]) =>
      value<boolean>('confirm_user_totp($1, $2, $3)', [subject, step, recoveryCodes.map(hashCode)]),

    /** Counts a code before it is checked. false: too many were wrong; null: from this network. */
    begin: (subject: string, network: string) =>
      value<boolean | null>('begin_code_try($1, $2)', [subject, network]),

    /** The code that `begin` counted was right. */
    async pass(subject: string, network: string): Promise<void> {
      await value('pass_code_try($1, $2)', [subject, network])
    },

    /** Accepts the code of a step (30 s since 1970), once. */
    useStep: (subject: string, step: number) => value<boolean>('use_totp_step($1, $2)', [subject, step]),

    /** Accepts a recovery code, once. */
    useRecoveryCode: (subject: string, code: string) =>
      value<boolean>('use_recovery_code($1, $2)', [subject, hashCode(code)]),

    /** Replaces the recovery codes. */
    async renew(subject: string, recoveryCodes: readonly string[]): Promise<void> {
      await value('renew_recovery_codes($1, $2)', [subject, recoveryCodes.map(hashCode)])
    },

    /** Forgets the app and the recovery codes. */
    async drop(subject: string): Promise<void> {
      await value('drop_user_totp($1)', [subject])
    },
  }
}

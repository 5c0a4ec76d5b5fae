import { randomBytes } from 'node:crypto'
import { base32 } from '@scure/base'
import { Secret, TOTP } from 'otpauth'

const PERIOD_S = 30
/** Clocks may differ by one step, which is 30 s. */
const WINDOW = 1
const RECOVERY_CODES = 10

/** A new secret for an app, as base32. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** The address that an app reads from a QR code. `host`: what the app shows beside the name of the user. */
export const totpUrl = ({ secret, name, host }: { secret: string; name: string; host: string }): string =>
  new TOTP({ issuer: host, label: name, secret }).toString()

/** The step (30 s since 1970) to which a code belongs. null: to none of those that are valid now. */
export function totpStep(given: { secret: string; code: string; at: Date }): number | null {
  const { secret, code, at } = given
  if (!/^\d{6}$/.test(code)) return null
  const timestamp = at.getTime()
  const delta = TOTP.validate({ token: code, secret: Secret.fromBase32(secret), timestamp, window: WINDOW })
  return delta === null ? null : Math.floor(timestamp / 1_000 / PERIOD_S) + delta
}

/** New recovery codes of 80 random bits each, in groups of four characters. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => base32.encode(randomBytes(10)).replace(/(.{4})(?=.)/g, '$1-'))

/** A recovery code as it is stored, whatever the case and the separators of what was typed. null: it is none. */
export function recoveryCodeOf(typed: string): string | null {
  const letters = typed.toUpperCase().replace(/[^A-Z0-9]/g, '')
  return /^[A-Z2-7]{16}$/.test(letters) ? letters.replace(/(.{4})(?=.)/g, '$1-') : null
}

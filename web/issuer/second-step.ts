import type { UserCodes } from '../../db/account/user-codes.ts'
import { openSecret } from '../../db/values/sealed-secret.ts'
import { recoveryCodeOf, totpStep } from './totp.ts'

export type Outcome = 'right' | 'wrong' | 'too many'

/** Checks the code of a user's app, or a recovery code in its place. Each is accepted once. */
export async function checkCode(
  deps: { codes: UserCodes; sealingKeys: readonly string[]; now: () => Date },
  given: { subject: string; code: string; network: string },
): Promise<Outcome> {
  const { codes, now } = deps
  const { subject, code, network } = given
  const mayTry = await codes.begin(subject, network)
  if (mayTry === null) return 'too many'
  if (!mayTry) return 'wrong'
  if (!(await isRight())) return 'wrong'
  await codes.pass(subject, network)
  return 'right'

  async function isRight(): Promise<boolean> {
    const recoveryCode = recoveryCodeOf(code)
    if (recoveryCode !== null) return codes.useRecoveryCode(subject, recoveryCode)
    const secret = await appSecret(deps, subject)
    if (!secret?.isConfirmed) return false
    const step = totpStep({ secret: secret.text, code: code.replaceAll(' ', ''), at: now() })
    return step !== null && codes.useStep(subject, step)
  }
}

/** The secret of a user's app. null: there is none. */
export async function appSecret(
  { codes, sealingKeys }: { codes: UserCodes; sealingKeys: readonly string[] },
  subject: string,
): Promise<{ text: string; isConfirmed: boolean } | null> {
  const found = await codes.secret(subject)
  if (!found) return null
  const { sealed, isConfirmed } = found
  return {
    text: openSecret({ sealed, context: { userSubject: subject }, privateKeys: sealingKeys }),
    isConfirmed,
  }
}

import type { Logger } from 'pino'
import type { PaymentLedger } from '../../db/payments/ledger.ts'

/** A quarter of what one renewal lasts. */
const RENEW_MS = 1_000

/** Says again and again that this process lives, so that no other one takes over what it has in hand. */
export function createOwnerLease(deps: {
  ledger: PaymentLedger
  owner: string
  logger: Pick<Logger, 'warn'>
}) {
  const { ledger, owner, logger } = deps
  let timer: NodeJS.Timeout | undefined
  let beginning: Promise<void> | undefined
  let isOver = false

  async function begin(): Promise<void> {
    await ledger.renewOwner(owner)
    if (!isOver) timer = setTimeout(() => void renew(), RENEW_MS)
  }

  async function renew(): Promise<void> {
    await ledger.renewOwner(owner).catch((error: Error) => {
      logger.warn({ err: { message: error.message } }, 'the database does not hear that this gateway lives')
    })
    if (!isOver) timer = setTimeout(() => void renew(), RENEW_MS)
  }

  return {
    /** Resolves once it has been said: before, claims would be taken for those of a dead process. */
    held: (): Promise<void> =>
      (beginning ??= begin().catch((error: unknown) => {
        beginning = undefined
        throw error
      })),
    end: async (): Promise<void> => {
      isOver = true
      clearTimeout(timer)
      await beginning?.catch(() => {})
      await ledger.endOwner(owner)
    },
  }
}

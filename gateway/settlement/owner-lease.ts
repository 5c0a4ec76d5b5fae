import type { Logger } from 'pino'
import type { PaymentLedger } from '../../db/payments/ledger.ts'

/** A quarter of the lease time. */
const RENEW_MS = 1_000

/** Renews the lease of this process, so that no other process takes over its payments. */
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
      logger.warn({ err: { message: error.message } }, 'the lease of this gateway could not be renewed')
    })
    if (!isOver) timer = setTimeout(() => void renew(), RENEW_MS)
  }

  return {
    /** Resolves once the lease is held. Without it other processes would treat our claims as abandoned. */
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

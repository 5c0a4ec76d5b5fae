import type { Logger } from 'pino'
import type { OpenPayment, PaymentLedger } from '../../db/payments/ledger.ts'
import type { FacilitatorRequest } from './facilitator-client.ts'
import type { SettlementSteps } from './settlement.ts'

const EVERY_MS = 10_000
const AT_ONCE = 20

/** Resolves payments whose settlement was not confirmed: at the start, every 10 s, and on demand. */
export function createReconciler(deps: {
  ledger: PaymentLedger
  settlement: SettlementSteps
  owner: string
  /** Resolves once this process holds its lease. */
  held: () => Promise<void>
  logger: Pick<Logger, 'warn'>
}) {
  const { ledger, settlement, owner, held, logger } = deps
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let isOver = false

  const resolve = ({ request, ...payment }: OpenPayment, by: { presented: boolean }) =>
    settlement.resolve({ ...payment, request: JSON.parse(request) as FacilitatorRequest }, by)

  async function round(): Promise<void> {
    try {
      await held()
      await ledger.clean()
      let taken: OpenPayment[]
      do {
        taken = await ledger.takeOpen({ owner, atMost: AT_ONCE })
        const fates = await Promise.allSettled(taken.map((payment) => resolve(payment, { presented: false })))
        for (const fate of fates) if (fate.status === 'rejected') throw fate.reason
      } while (taken.length === AT_ONCE && !isOver)
    } catch (error) {
      logger.warn({ err: { message: (error as Error).message } }, 'payments could not be reconciled')
    }
    if (!isOver) timer = setTimeout(begin, EVERY_MS)
  }

  function begin(): void {
    running = round()
  }

  return {
    start: begin,
    /** Resolves one payment now; false: another process has it, or it was checked just before. */
    resolveOne: async (paymentId: string, { presented }: { presented: boolean }): Promise<boolean> => {
      const [taken] = await ledger.takeOpen({ owner, paymentId, atMost: 1 })
      if (taken) await resolve(taken, { presented })
      return taken !== undefined
    },
    stop: async (): Promise<void> => {
      isOver = true
      clearTimeout(timer)
      await running
    },
  }
}

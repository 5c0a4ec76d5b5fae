import type pg from 'pg'
import type { Logger } from 'pino'
import { createChainLedger, type PaymentToConfirm } from '../../db/payments/chain-ledger.ts'
import { createPaymentLedger } from '../../db/payments/ledger.ts'
import type { ChainReader } from './chain-reader.ts'
import type { PayeeReader } from './payee-reader.ts'
import { LOOK_BACK_MS } from '../settlement/settlement.ts'
import { TOKEN } from '../payment/token.ts'

const EVERY_MS = 10_000
const AT_ONCE = 100

/**
 * Rechecks the settled payments of the newest blocks. One query lists the transactions that are still there;
 * each missing one is looked up alone. A payment that a reorg removed becomes `lost` and its session ends. It
 * becomes `settled` again when its transaction returns.
 */
export function createChainWatch(deps: {
  /** Connects as role `gateway`. */
  pool: pg.Pool
  chain: ChainReader
  payee: PayeeReader
  payTo: string
  /** Number of newest blocks to recheck. */
  blocks: number
  logger: Pick<Logger, 'warn' | 'error'>
}) {
  const { chain, payee, payTo, blocks, logger } = deps
  const ledger = createPaymentLedger(deps.pool)
  const chainLedger = createChainLedger(deps.pool)
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let isOver = false

  async function confirm(payment: PaymentToConfirm): Promise<void> {
    const { paymentId, transaction, claimedAt, isLost, ...expected } = payment
    const since = new Date(claimedAt.getTime() - LOOK_BACK_MS)
    const proof = await chain.find({ ...expected, transaction, since })
    const isThere = proof.kind === 'paid' && proof.transaction === transaction
    if (isThere && !isLost) return
    // A node behind the block of the payment proves nothing.
    if (!isLost && proof.blockNumber >= payment.blockNumber) {
      if (await chainLedger.lose({ paymentId, transaction }))
        logger.error({ paymentId, transaction }, 'a reorg removed a settled payment from the chain')
    }
    if (proof.kind !== 'paid') return
    const placed = { blockNumber: proof.blockNumber, payTo: payment.payTo }
    await ledger.settle({ paymentId, transaction: proof.transaction, extra: {}, durable: true, placed })
    logger.warn(
      { paymentId, transaction: proof.transaction },
      'a payment lost in a reorg is on the chain again',
    )
  }

  /** Checks all of them once. */
  async function look(): Promise<void> {
    const { fromBlock, transactions } = await payee.recentTransfers({ payTo, blocks })
    const there = [...transactions]
    let found: PaymentToConfirm[]
    do {
      found = await chainLedger.toConfirm({
        chainId: TOKEN.chainId,
        fromBlock,
        transactions: there,
        atMost: AT_ONCE,
      })
      for (const payment of found) await confirm(payment)
      there.push(...found.map(({ transaction }) => transaction))
    } while (found.length >= AT_ONCE && !isOver)
  }

  async function round(): Promise<void> {
    await look().catch((error: Error) =>
      logger.warn({ err: { message: error.message } }, 'settled payments could not be rechecked'),
    )
    if (!isOver) timer = setTimeout(begin, EVERY_MS)
  }

  function begin(): void {
    running = round()
  }

  return {
    start: begin,
    look,
    stop: async (): Promise<void> => {
      isOver = true
      clearTimeout(timer)
      await running
    },
  }
}

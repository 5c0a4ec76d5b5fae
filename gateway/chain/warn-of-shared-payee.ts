import type pg from 'pg'
import type { Logger } from 'pino'
import { createChainLedger } from '../../db/payments/chain-ledger.ts'
import type { PayeeReader } from './payee-reader.ts'
import { TOKEN } from '../payment/token.ts'

/** Half an hour on Base. Nodes return no more blocks in one call. */
const BLOCKS = 1_000
const NEWEST = 20

/**
 * Warns if recent payments to the payee address used authorizations that this installation never received.
 * Then another installation has the same address, and a payment can be presented to both.
 */
export async function warnOfSharedPayee(deps: {
  /** Connects as role `gateway`. */
  pool: pg.Pool
  payee: PayeeReader
  payTo: string
  logger: Pick<Logger, 'warn'>
}): Promise<void> {
  const { pool, payee, payTo, logger } = deps
  try {
    const { transactions } = await payee.recentTransfers({ payTo, blocks: BLOCKS })
    const used = await payee.authorizationsTo(payTo, transactions.slice(-NEWEST))
    const where = { chainId: TOKEN.chainId, asset: TOKEN.address.toLowerCase() }
    const known = await createChainLedger(pool).known(where, used)
    const foreign = used.filter(({ nonce }) => !known.has(nonce))
    if (foreign.length > 0)
      logger.warn(
        { payTo, transaction: foreign.at(-1)!.transaction, payments: foreign.length },
        'X402_PAY_TO received payments for calls that this installation did not serve. Give each installation its own address: docs/gateway.md',
      )
  } catch (error) {
    logger.warn(
      { err: { message: (error as Error).message } },
      'could not check whether another installation uses X402_PAY_TO',
    )
  }
}

import type pg from 'pg'
import type { Logger } from 'pino'
import { createChainLedger } from '../../db/payments/chain-ledger.ts'
import type { PayeeReader } from './payee-reader.ts'
import { TOKEN } from '../payment/token.ts'

/** Half an hour of Base: as many as nodes answer in one question. */
const BLOCKS = 1_000
const NEWEST = 20

/**
 * Says so when the address that is paid was lately paid by authorizations that this installation was never asked about:
 * another one has the same address, and a payment can be presented to both.
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
        'X402_PAY_TO was paid for calls that this installation was not asked for. Give each installation an address of its own: docs/gateway.md',
      )
  } catch (error) {
    logger.warn(
      { err: { message: (error as Error).message } },
      'whether X402_PAY_TO belongs to this installation alone could not be found out',
    )
  }
}

import type { Receipt } from '../settlement/payments.ts'
import type { SignedPayment } from './read-payment.ts'
import { NETWORK } from './token.ts'

/** Both headers of a receipt: that of the API contract and version 1, and that of version 2. */
export function receiptHeaders(
  { version, transfer }: Pick<SignedPayment, 'version' | 'transfer'>,
  settled: Receipt | 'settlement_pending',
): Record<string, string> {
  const network = version === 1 ? NETWORK.v1 : NETWORK.v2
  const receipt =
    settled === 'settlement_pending'
      ? { success: false, errorReason: settled, transaction: '', network, payer: transfer.from }
      : {
          success: true,
          transaction: settled.transaction,
          network,
          payer: settled.payer,
          ...(Object.keys(settled.extra).length > 0 && { extra: settled.extra }),
        }
  const value = Buffer.from(JSON.stringify(receipt)).toString('base64')
  return { 'x-payment-response': value, 'payment-response': value }
}

import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { PrivateKeyAccount } from 'viem/accounts'
import { usdcOf } from '../db/values/usdc.ts'

const BASE = 'eip155:8453'

export interface PaidCall {
  status: number
  /** Body of the answer, parsed if it is JSON. */
  data: unknown
  /** The gateway's receipt of the settlement; null: it sent none. */
  receipt: Receipt | null
  /** Signed amount in base units of USDC; null: the gateway asked for no payment. */
  units: bigint | null
  /** Why the gateway still asks for payment after it was paid; null: it does not. */
  refused: string | null
}

export type Receipt = ReturnType<typeof decodePaymentResponseHeader>

/** No answer came to a call that was sent with a payment of `units` base units of USDC. */
export class UnansweredPayment extends Error {
  constructor(units: bigint, cause: unknown) {
    super(`${usdcOf(units)} USDC were sent and no answer came, so they may have been taken`, { cause })
    this.name = 'UnansweredPayment'
  }
}

/**
 * Sends one GET to a gateway and pays with this wallet through the official client. Throws `UnansweredPayment` if
 * no answer came after it had paid, and another error if it cannot pay.
 */
export async function payCall(call: {
  url: string
  headers: Record<string, string>
  account: PrivateKeyAccount
  /** How to send a request: `fetch`, or one that asks again. */
  send: typeof fetch
}): Promise<PaidCall> {
  let units: bigint | null = null
  const client = new x402Client().register(BASE, new ExactEvmScheme(call.account))
  client.onAfterPaymentCreation(({ selectedRequirements }) => {
    units = BigInt(selectedRequirements.amount)
    return Promise.resolve()
  })
  let response: Response
  let text: string
  try {
    response = await wrapFetchWithPayment(call.send, client)(call.url, {
      headers: { ...call.headers, prefer: 'handling=strict' },
    })
    text = await response.text()
  } catch (error) {
    throw units === null ? error : new UnansweredPayment(units, error)
  }
  const settled = response.headers.get('payment-response')
  const asked = response.headers.get('payment-required')
  return {
    status: response.status,
    data: parsed(text),
    units,
    receipt: settled === null ? null : decodePaymentResponseHeader(settled),
    refused: response.status === 402 && asked !== null ? reasonOf(asked) : null,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function reasonOf(header: string): string {
  const { error } = JSON.parse(Buffer.from(header, 'base64').toString()) as { error?: string }
  return error ?? 'no reason given'
}

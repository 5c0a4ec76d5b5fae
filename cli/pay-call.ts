import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { PrivateKeyAccount } from 'viem/accounts'

const BASE = 'eip155:8453'

export interface PaidCall {
  status: number
  /** What the answer holds, parsed where it is JSON. */
  data: unknown
  /** What the gateway says of the settlement; null: it says nothing. */
  receipt: Receipt | null
  /** Base units of USDC that were signed for; null: the gateway asked for nothing. */
  units: bigint | null
  /** Why it still asks for money after it was paid; null: it does not. */
  refused: string | null
}

export type Receipt = ReturnType<typeof decodePaymentResponseHeader>

/** One GET at a gateway, paid by the official client with this wallet. Throws when there is nothing to pay with. */
export async function payCall(call: {
  url: string
  headers: Record<string, string>
  account: PrivateKeyAccount
}): Promise<PaidCall> {
  let units: bigint | null = null
  const client = new x402Client().register(BASE, new ExactEvmScheme(call.account))
  client.onAfterPaymentCreation(({ selectedRequirements }) => {
    units = BigInt(selectedRequirements.amount)
    return Promise.resolve()
  })
  const response = await wrapFetchWithPayment(fetch, client)(call.url, { headers: call.headers })
  const text = await response.text()
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

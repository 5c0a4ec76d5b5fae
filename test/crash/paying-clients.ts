import { setTimeout as sleep } from 'node:timers/promises'
import { getAddress } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { USDC } from '../setup/facilitator.ts'
import { signPayment } from '../setup/sign-payment.ts'

/** One payment of a client and its outcome. */
export interface Purchase {
  path: string
  payer: string
  nonce: string
  amount: bigint
  header: string
  /** Bodies of all answers with 200. */
  bodies: Set<string>
  transactions: Set<string>
  /** Status of each answer, in order. 0: the connection failed */
  statuses: number[]
}

interface Buying {
  /** Base URL of a gateway, called for each request. */
  url: () => string
  path: string
  payer: PrivateKeyAccount
  payTo: string
  amount: bigint
  deadlineMs: number
}

/** Final statuses: the data, a refusal, or a call that cannot be answered. */
const FINAL = new Set([200, 400, 402, 404])
/** Longest validity of an authorization that a gateway accepts. */
const VALID_S = 300

/** Pays for one call as a careful client does: repeats the same header until there is a final answer. */
export async function buy(buying: Buying): Promise<Purchase> {
  const { path, payer, payTo, amount } = buying
  const validBefore = String(Math.floor(Date.now() / 1000) + VALID_S)
  const to = payTo as `0x${string}`
  const { authorization, signature } = await signPayment(payer, { to, value: String(amount), validBefore })
  const accepted = {
    scheme: 'exact',
    network: 'eip155:8453',
    amount: String(amount),
    asset: getAddress(USDC),
    payTo: getAddress(to),
    maxTimeoutSeconds: 60,
    extra: { name: 'USD Coin', version: '2' },
  }
  const payment = { x402Version: 2, accepted, payload: { signature, authorization }, extensions: {} }
  const purchase: Purchase = {
    path,
    amount,
    payer: payer.address.toLowerCase(),
    nonce: authorization.nonce,
    header: Buffer.from(JSON.stringify(payment)).toString('base64'),
    bodies: new Set(),
    transactions: new Set(),
    statuses: [],
  }
  await insist(purchase, buying)
  return purchase
}

/** Repeats the request of a payment. */
export async function insist(
  purchase: Purchase,
  { url, deadlineMs }: Pick<Buying, 'url' | 'deadlineMs'>,
): Promise<void> {
  const endMs = Date.now() + deadlineMs
  for (;;) {
    const { status, waitS } = await once(url(), purchase)
    // 429 only limits the rate and says nothing about the payment.
    if (status === 429) {
      await sleep(waitS * 1_000)
      continue
    }
    purchase.statuses.push(status)
    if (FINAL.has(status) || Date.now() > endMs) return
    await sleep(status === 409 ? 50 : 250)
  }
}

/** Sends one request. Status 0: no complete answer. `waitS`: seconds to wait before the next request */
async function once(url: string, purchase: Purchase): Promise<{ status: number; waitS: number }> {
  const { path, header, bodies, transactions } = purchase
  try {
    const init = { headers: { 'x-payment': header }, signal: AbortSignal.timeout(40_000) }
    const response = await fetch(`${url}${path}`, init)
    const body = await response.text()
    const waitS = Number(response.headers.get('retry-after') ?? 0)
    if (response.status !== 200) return { status: response.status, waitS }
    bodies.add(body)
    const receipt = response.headers.get('x-payment-response') ?? ''
    transactions.add(
      (JSON.parse(Buffer.from(receipt, 'base64').toString()) as { transaction: string }).transaction,
    )
    return { status: 200, waitS: 0 }
  } catch {
    return { status: 0, waitS: 0 }
  }
}

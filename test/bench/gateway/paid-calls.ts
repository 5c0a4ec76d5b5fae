import { ExactEvmScheme } from '@x402/evm/exact/client'
import type { PaymentRequired } from '@x402/core/types'
import { Pool } from 'undici'
import type { PrivateKeyAccount } from 'viem/accounts'
import { median } from '../shared/pairs.ts'
import type { BenchFacilitator } from './facilitator.ts'

export interface PaidCalls {
  perSecond: number
  totalMs: number
  verifyMs: number
  settleMs: number
  chainMs: number
  /** Duration of a call without verify, settle and the node's time. */
  ownMs: number
  ownP99Ms: number
}

interface Payment {
  header: string
  nonce: string
}

/** Signs payments for a server's requirements in advance, with the official client. */
export async function signPayments(input: {
  url: string
  path: string
  payer: PrivateKeyAccount
  count: number
}): Promise<Payment[]> {
  const { url, path, payer, count } = input
  const response = await fetch(`${url}${path}`)
  const challenge = response.headers.get('payment-required')
  if (response.status !== 402 || challenge === null)
    throw new Error(`${url} answers ${response.status} to a free call`)
  const { resource, accepts } = JSON.parse(Buffer.from(challenge, 'base64').toString()) as PaymentRequired
  const [accepted] = accepts
  const scheme = new ExactEvmScheme(payer)
  return Promise.all(
    Array.from({ length: count }, async () => {
      const { payload } = await scheme.createPaymentPayload(2, accepted!)
      const { nonce } = payload['authorization'] as { nonce: string }
      const payment = { x402Version: 2, resource, accepted, payload, extensions: {} }
      return { nonce, header: Buffer.from(JSON.stringify(payment)).toString('base64') }
    }),
  )
}

/** Makes paid calls over some connections and returns medians. Each answer must be 200 with a receipt. */
export async function payCalls(input: {
  url: string
  path: string
  connections: number
  calls: number
  facilitator: BenchFacilitator
}): Promise<PaidCalls> {
  const { url, path, connections, calls, facilitator } = input
  const payments = await signPayments({ url, path, payer: facilitator.payer, count: calls })
  const pool = new Pool(url, { connections })
  const totals = new Map<string, number>()
  const left = [...payments]
  const startMs = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let payment = left.pop(); payment; payment = left.pop()) {
        const sentMs = performance.now()
        const answer = await pool.request({
          path,
          method: 'GET',
          headers: { 'payment-signature': payment.header },
        })
        const body = await answer.body.text()
        totals.set(payment.nonce, performance.now() - sentMs)
        if (answer.statusCode !== 200 || answer.headers['payment-response'] === undefined)
          throw new Error(`${url} answers a paid call with ${answer.statusCode}: ${body.slice(0, 200)}`)
      }
    }),
  )
  const elapsedMs = performance.now() - startMs
  await pool.close()
  const each = [...totals].map(([nonce, totalMs]) => {
    const taken = facilitator.takenBy(nonce)
    const { verifyMs, settleMs, chainMs } = taken
    return { totalMs, ...taken, ownMs: totalMs - verifyMs - settleMs - chainMs }
  })
  const own = each.map(({ ownMs }) => ownMs).toSorted((a, b) => a - b)
  return {
    perSecond: (calls / elapsedMs) * 1_000,
    totalMs: median(each.map((one) => one.totalMs)),
    verifyMs: median(each.map((one) => one.verifyMs)),
    settleMs: median(each.map((one) => one.settleMs)),
    chainMs: median(each.map((one) => one.chainMs)),
    ownMs: median(own),
    ownP99Ms: own[Math.floor(own.length * 0.99)]!,
  }
}

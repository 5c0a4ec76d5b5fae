import { createHash } from 'node:crypto'
import { type Address, getAddress, type Hex, parseSignature } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { afterAll } from 'vitest'
import { openDb } from '../../db/connect.ts'
import type { StoredAnswer } from '../../db/payments/ledger.ts'
import { createChainReader } from '../../gateway/chain/chain-reader.ts'
import { createFacilitatorClient } from '../../gateway/settlement/facilitator-client.ts'
import { createPayments, type Payment } from '../../gateway/settlement/payments.ts'
import type { Requirement } from '../../gateway/payment/requirement.ts'
import { operator } from '../../sandbox/chain/actors.ts'
import { call } from '../../sandbox/chain/calls.ts'
import { testDatabase } from '../setup/database.ts'
import { startFacilitator, USDC } from '../setup/facilitator.ts'
import { query } from '../setup/query.ts'
import { signPayment } from '../setup/sign-payment.ts'
import { startFaultProxy } from './fault-proxy.ts'
import { mortalPool } from './mortal-pool.ts'

export const PAY_TO = '0x9a7d000000000000000000000000000000000402'

type Given = Partial<Awaited<ReturnType<typeof signPayment>>['authorization']> & {
  payer: PrivateKeyAccount
  /** Path of the call. */
  path?: string
  /** Payee of our own requirement. */
  payTo?: Address
}

/**
 * Sets up Postgres, the real facilitator on a chain, a fault proxy in front of it, and any number of gateways
 * without HTTP on the same tables. Call it at the top level of a `*.db.test.ts`.
 */
export async function createPaymentRig() {
  const database = await testDatabase()
  const facilitator = await startFacilitator()
  const proxy = await startFaultProxy(() => facilitator.url)
  const alarms: string[] = []
  const closings: (() => Promise<void>)[] = []
  afterAll(async () => {
    for (const close of closings) await close().catch(() => {})
    await proxy.stop()
    await facilitator.stop()
  })

  /** `rpc: false`: it has no node, only the facilitator. */
  function newGateway(
    options: {
      rpc?: boolean
      rpcUrl?: string
      replaySeconds?: number
      servesElsewhere?: boolean
      settleDeadlineMs?: number
    } = {},
  ) {
    const { rpc = true, rpcUrl = facilitator.rpcUrl, replaySeconds = 300, servesElsewhere = false } = options
    const { settleDeadlineMs = 30_000 } = options
    const connection = openDb({
      url: database.gatewayUrl,
      maxConnections: 8,
      applicationName: 'payments-test',
    })
    const life = mortalPool(connection.pool)
    const client = createFacilitatorClient({ url: proxy.url, settleDeadlineMs })
    const payments = createPayments({
      pool: life.pool,
      facilitator: client,
      chain: rpc ? createChainReader({ rpcUrl, chainId: 8453 }) : null,
      replaySeconds,
      servesElsewhere,
      logger: { warn: () => {}, error: (_: unknown, message?: string) => void alarms.push(message ?? '') },
    })
    const close = async () => {
      if (!life.isDead()) await payments.close()
      await client.close()
      await connection.close()
    }
    closings.push(close)
    return { ...payments, ...life, close }
  }

  async function newPayment({ payer, path = '/coins', payTo = PAY_TO, ...given }: Given): Promise<Payment> {
    const { authorization, signature } = await signPayment(payer, { to: payTo, value: '1000', ...given })
    const requirement: Requirement = {
      scheme: 'exact',
      network: 'eip155:8453',
      amount: authorization.value,
      asset: getAddress(USDC),
      payTo,
      maxTimeoutSeconds: 60,
      extra: { name: 'USD Coin', version: '2' },
    }
    const { nonce, value, validBefore } = authorization
    return {
      authorization: { chainId: 8453, asset: USDC, payer: payer.address.toLowerCase(), nonce },
      amount: BigInt(value),
      resourceKey: createHash('sha256').update(path).digest(),
      validBefore: new Date(Number(validBefore) * 1000),
      request: {
        x402Version: 2,
        paymentPayload: { x402Version: 2, accepted: requirement, payload: { signature, authorization } },
        paymentRequirements: requirement,
      },
    }
  }

  /** Lets payments without a known outcome be checked again, as if time had passed. */
  async function passTime(): Promise<void> {
    await query(
      database.ownerUrl,
      `update payments set try_after = clock_timestamp() where state in ('settling', 'unknown')`,
    )
  }

  return {
    database,
    facilitator,
    proxy,
    alarms,
    newGateway,
    newPayment,
    newPayer: facilitator.newPayer,
    stateOf: async ({ authorization }: Payment): Promise<string | null> =>
      (
        await query<{ state: string }>(database.ownerUrl, 'select state from payments where nonce = $1', [
          authorization.nonce,
        ])
      )[0]?.state ?? null,
    passTime,
    /** Also expires the leases of all processes. Live ones renew theirs. */
    passTimeForDead: async (): Promise<void> => {
      await query(database.ownerUrl, 'delete from payment_owners')
      await passTime()
    },
  }
}

/** The transaction with which anyone may submit an authorization. */
export function transferOf({ request }: Payment): { from: Address; to: Address; data: string } {
  const { signature, authorization } = request.paymentPayload.payload
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const { r, s, v } = parseSignature(signature as Hex)
  const args = [from, to, ...[value, validAfter, validBefore].map(BigInt), nonce, Number(v), r, s]
  return { from: operator, to: USDC, data: call('UsdCoin', 'transferWithAuthorization', args) }
}

/** The work of a call, with a count of its runs. */
export function countedWork(answer: Partial<StoredAnswer> = {}) {
  const work = async (): Promise<StoredAnswer> => {
    counted.times++
    const body = Buffer.from(`{"n":${counted.times}}`)
    return {
      statusCode: 200,
      contentType: 'application/json',
      headers: { 'x-data-as-of': 'now' },
      body,
      ...answer,
    }
  }
  const counted = { times: 0, work }
  return counted
}

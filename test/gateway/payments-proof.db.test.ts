import { parseSignature, type Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Payment } from '../../gateway/settlement/payments.ts'
import { operator } from '../../sandbox/chain/actors.ts'
import { call } from '../../sandbox/chain/calls.ts'
import { USDC } from '../setup/facilitator.ts'
import { query } from '../setup/query.ts'
import { DOMAIN, TYPES } from '../setup/sign-payment.ts'
import { lie, pass } from './fault-proxy.ts'
import { countedWork, createPaymentRig, PAY_TO, transferOf } from './payment-rig.ts'

// Attacks 27 to 29 of the specification: which proofs of a payment are accepted.

const rig = await createPaymentRig()
const { proxy, facilitator, newPayment, newGateway } = rig
const gateway = newGateway()
const blind = newGateway({ rpc: false })
let payer: PrivateKeyAccount
let paidBefore: bigint

beforeEach(async () => {
  proxy.heal()
  rig.alarms.length = 0
  payer = await rig.newPayer()
  paidBefore = await facilitator.usdcOf(PAY_TO)
})
const charged = async () => (await facilitator.usdcOf(PAY_TO)) - paidBefore

/** Sends a transaction of a third party and waits for its receipt. */
async function send(transaction: { from: string; to: string; data: string }): Promise<void> {
  const hash = await facilitator.anvil.call('eth_sendTransaction', transaction)
  // It is mined a moment later.
  await expect
    .poll(() => facilitator.anvil.call('eth_getTransactionReceipt', hash), { interval: 10 })
    .toMatchObject({ status: '0x1' })
}

async function cancel({ authorization }: Payment): Promise<void> {
  const message = { authorizer: payer.address, nonce: authorization.nonce as Hex }
  const signature = await payer.signTypedData({
    domain: DOMAIN,
    types: TYPES,
    primaryType: 'CancelAuthorization',
    message,
  })
  const { r, s, v } = parseSignature(signature)
  const args = [payer.address, authorization.nonce, Number(v), r, s]
  await send({ from: operator, to: USDC, data: call('UsdCoin', 'cancelAuthorization', args) })
}

const submit = (payment: Payment) => send(transferOf(payment))

describe('27 a facilitator that lies', () => {
  const lies: Record<string, Record<string, unknown>> = {
    'without a transaction': { transaction: '' },
    'with half a transaction': { transaction: '0xabcd' },
    'of another payer': { payer: PAY_TO },
    'without a payer': { payer: undefined },
    'on another network': { network: 'eip155:84532' },
  }
  for (const [name, change] of Object.entries(lies))
    test.each([
      ['with', gateway],
      ['without', blind],
    ])(
      `a success ${name}: %s a node, the call gets 503 and no data, and an alarm is logged`,
      async (_, asked) => {
        const payment = await newPayment({ payer })
        proxy.plan('settle', lie(change))
        expect(await asked.pay(payment, countedWork().work)).toEqual({ kind: 'pending' })
        expect(rig.alarms).toEqual(['the answer of the facilitator contradicts the request'])
        expect(await rig.stateOf(payment)).toBe('unknown')
        expect(await charged()).toBe(0n)
      },
    )

  test.each([
    ['with', gateway],
    ['without', blind],
  ])(
    'an old transaction: %s a node, the call gets 503 and no data, and an alarm is logged',
    async (_, asked) => {
      const paid = await asked.pay(await newPayment({ payer }), countedWork().work)
      const transaction = paid.kind === 'answered' ? paid.receipt.transaction : null
      const payment = await newPayment({ payer })
      proxy.plan('settle', lie({ transaction }))
      expect(await asked.pay(payment, countedWork().work)).toEqual({ kind: 'pending' })
      expect(rig.alarms.length).toBe(1)
      expect(await rig.stateOf(payment)).toBe('unknown')
      expect(await charged()).toBe(1_000n)
    },
  )

  test('an unknown transaction: with a node, the call gets 503 and no data, and an alarm is logged', async () => {
    const payment = await newPayment({ payer })
    proxy.plan('settle', lie({}))
    expect(await gateway.pay(payment, countedWork().work)).toEqual({ kind: 'pending' })
    expect(rig.alarms).toEqual(['the facilitator named a transaction that the chain does not have'])
    expect(await charged()).toBe(0n)
  })

  test('another payer’s transaction: with a node, the call gets 503 and no data, and an alarm is logged', async () => {
    const other = await newPayment({ payer: await rig.newPayer() })
    await submit(other)
    const [log] = (await facilitator.anvil.call('eth_getLogs', { address: USDC })) as {
      transactionHash: string
    }[]
    const payment = await newPayment({ payer })
    proxy.plan('settle', lie({ transaction: log!.transactionHash }))
    expect(await gateway.pay(payment, countedWork().work)).toEqual({ kind: 'pending' })
    expect(rig.alarms.length).toBe(1)
    expect(await charged()).toBe(1_000n)
  })

  test('a wrong transaction for a good payment: with a node, the right one is found', async () => {
    const payment = await newPayment({ payer })
    proxy.plan('settle', async (call) => {
      await call.forward()
      await lie({})(call)
    })
    const outcome = await gateway.pay(payment, countedWork().work)
    expect(outcome).toMatchObject({ kind: 'answered' })
    const { transaction } = (outcome as { receipt: { transaction: string } }).receipt
    expect(transaction).not.toBe(`0x${'ab'.repeat(32)}`)
    expect(await facilitator.anvil.call('eth_getTransactionReceipt', transaction)).toMatchObject({
      status: '0x1',
    })
  })
})

describe('28 a payer that cancels between verify and settle', () => {
  const cancelFirst = (payment: Payment) =>
    proxy.plan('settle', async (call) => {
      await cancel(payment)
      await pass(call)
    })

  test('is detected on the chain and gets 402 without data', async () => {
    const payment = await newPayment({ payer })
    cancelFirst(payment)
    const refused = { kind: 'refused', reason: 'authorization_canceled' }
    expect(await gateway.pay(payment, countedWork().work)).toEqual(refused)
    expect(await gateway.pay(payment, countedWork().work)).toEqual(refused)
    expect(await charged()).toBe(0n)
  })

  test('or uses the nonce to pay another address gets 402 as well', async () => {
    const payment = await newPayment({ payer })
    const nonce = payment.authorization.nonce as Hex
    const other = await newPayment({ payer, nonce, to: operator })
    proxy.plan('settle', async (call) => {
      await submit(other)
      await pass(call)
    })
    expect(await gateway.pay(payment, countedWork().work)).toMatchObject({ kind: 'refused' })
    expect(await rig.stateOf(payment)).toBe('failed')
    expect(await charged()).toBe(0n)
  })

  test('without a node gets cheap answers, each once and three a day, unsettled', async () => {
    for (let i = 0; i < 3; i++) {
      const payment = await newPayment({ payer, value: '4000' })
      cancelFirst(payment)
      expect(await blind.pay(payment, countedWork().work)).toMatchObject({
        kind: 'unproven',
        answer: { statusCode: 200 },
      })
      expect(await blind.pay(payment, countedWork().work)).toEqual({ kind: 'pending' })
      expect(await rig.stateOf(payment)).toBe('unknown')
    }
    const fourth = await newPayment({ payer, value: '4000' })
    cancelFirst(fourth)
    expect(await blind.pay(fourth, countedWork().work)).toEqual({ kind: 'pending' })
    expect(await charged()).toBe(0n)
  })

  test('without a node gets no answer above 0.004 USDC', async () => {
    const payment = await newPayment({ payer, value: '4001' })
    cancelFirst(payment)
    expect(await blind.pay(payment, countedWork().work)).toEqual({ kind: 'pending' })
  })

  test.each([
    ['with', gateway],
    ['without', blind],
  ])('or empties its wallet gets no data %s a node', async (_, asked) => {
    const payment = await newPayment({ payer })
    const { signature, authorization } = (await newPayment({ payer, to: operator, value: '100000000' }))
      .request.paymentPayload.payload
    const all = { request: { paymentPayload: { payload: { signature, authorization } } } } as Payment
    proxy.plan('settle', async (call) => {
      await submit(all)
      await pass(call)
    })
    expect(await asked.pay(payment, countedWork().work)).toMatchObject({
      kind: expect.stringMatching(/refused|pending/),
    })
    expect(await charged()).toBe(0n)
  })

  test('an unsettled payment gets 503 until its authorization expires by chain time, then 402', async () => {
    const payment = await newPayment({ payer, validBefore: String(Math.floor(Date.now() / 1000) + 9) })
    proxy.plan('settle', ({ reply }) => reply(500, '{}'))
    expect(await gateway.pay(payment, countedWork().work)).toEqual({ kind: 'pending' })
    await new Promise((resolve) => setTimeout(resolve, payment.validBefore.getTime() - Date.now()))
    await rig.passTime()
    // It has expired by the clock but not yet by the time of a block.
    expect(await gateway.pay(payment, countedWork().work)).toEqual({ kind: 'pending' })
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    await facilitator.anvil.call('evm_mine')
    await rig.passTime()
    expect(await gateway.pay(payment, countedWork().work)).toEqual({
      kind: 'refused',
      reason: 'invalid_exact_evm_payload_authorization_valid_before',
    })
    expect(await rig.stateOf(payment)).toBe('failed')
    expect(await charged()).toBe(0n)
  })
})

describe('29 a third party that submits the authorization first', () => {
  test('before settle: it is found on the chain and served', async () => {
    const payment = await newPayment({ payer })
    proxy.plan('settle', async (call) => {
      await submit(payment)
      await pass(call)
    })
    expect(await gateway.pay(payment, countedWork().work)).toMatchObject({ kind: 'answered' })
    expect(await gateway.pay(payment, countedWork().work)).toMatchObject({ kind: 'answered', replayed: true })
    expect(await charged()).toBe(1_000n)
  })

  test('before it arrived: it is refused, as it may have paid another installation with this address', async () => {
    const payment = await newPayment({ payer })
    await submit(payment)
    const settlesBefore = proxy.calls['settle']
    const refused = { kind: 'refused', reason: 'invalid_exact_evm_nonce_already_used' }
    expect(await gateway.pay(payment, countedWork().work)).toEqual(refused)
    expect(await gateway.pay(payment, countedWork().work)).toEqual(refused)
    expect(await rig.stateOf(payment)).toBeNull()
    expect(proxy.calls['settle']).toBe(settlesBefore)
  })

  test('before it arrived, with X402_SETTLED_ELSEWHERE=serve: it is served once', async () => {
    const work = countedWork()
    const generous = newGateway({ servesElsewhere: true })
    const payment = await newPayment({ payer })
    await submit(payment)
    const settlesBefore = proxy.calls['settle']
    expect(await generous.pay(payment, work.work)).toMatchObject({ kind: 'answered' })
    expect(await generous.pay(payment, work.work)).toMatchObject({ kind: 'answered', replayed: true })
    expect(proxy.calls['settle']).toBe(settlesBefore)
    expect(work.times).toBe(1)
    expect(await charged()).toBe(1_000n)
  })

  test('after it was cancelled: it is refused at verify', async () => {
    const payment = await newPayment({ payer })
    await cancel(payment)
    expect(await gateway.pay(payment, countedWork().work)).toMatchObject({ kind: 'refused' })
    expect(await rig.stateOf(payment)).toBeNull()
  })
})

describe('a node that does not answer', () => {
  const lost = newGateway({ rpcUrl: 'http://127.0.0.1:9' })

  test('a payment refused at verify gets 503 and can be used again, as it may have been submitted', async () => {
    const payment = await newPayment({ payer })
    await submit(payment)
    expect(await lost.pay(payment, countedWork().work)).toEqual({ kind: 'unreachable' })
    expect(await rig.stateOf(payment)).toBeNull()
    const generous = newGateway({ servesElsewhere: true })
    expect(await generous.pay(payment, countedWork().work)).toMatchObject({ kind: 'answered' })
    expect(await charged()).toBe(1_000n)
  })

  test('a success gets 503 until a node confirms it', async () => {
    const payment = await newPayment({ payer })
    expect(await lost.pay(payment, countedWork().work)).toEqual({ kind: 'pending' })
    await rig.passTime()
    expect(await lost.pay(payment, countedWork().work)).toEqual({ kind: 'pending' })
    await rig.passTime()
    expect(await gateway.pay(payment, countedWork().work)).toMatchObject({ kind: 'answered', replayed: true })
    expect(await charged()).toBe(1_000n)
  })
})

test('an authorization that expires within 6 seconds is refused and leaves no row', async () => {
  const payment = await newPayment({ payer, validBefore: String(Math.floor(Date.now() / 1000) + 5) })
  const work = countedWork()
  expect(await gateway.pay(payment, work.work)).toEqual({
    kind: 'refused',
    reason: 'invalid_exact_evm_payload_authorization_valid_before',
  })
  expect(work.times).toBe(0)
  expect(await rig.stateOf(payment)).toBeNull()
})

test('signatures of final payments are deleted', async () => {
  await gateway.pay(await newPayment({ payer }), countedWork().work)
  const kept = await query(
    rig.database.ownerUrl,
    `select from payments where request is not null and state in ('settled', 'failed', 'claimed')`,
  )
  expect(kept).toEqual([])
})

import type { PrivateKeyAccount } from 'viem/accounts'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Outcome } from '../../gateway/settlement/payments.ts'
import { query } from '../setup/query.ts'
import { LOST, pass } from './fault-proxy.ts'
import { countedWork, createPaymentRig, PAY_TO } from './payment-rig.ts'

// Attacks of the specification, by number, that depend on the state of a payment.

const rig = await createPaymentRig()
const { proxy, facilitator, newPayment, newGateway } = rig
const gateway = newGateway()
let payer: PrivateKeyAccount
let paidBefore: bigint

beforeAll(async () => {
  payer = await rig.newPayer()
})
beforeEach(async () => {
  proxy.heal()
  rig.alarms.length = 0
  paidBefore = await facilitator.usdcOf(PAY_TO)
})
const charged = async () => (await facilitator.usdcOf(PAY_TO)) - paidBefore
const NONCE_USED = { kind: 'refused', reason: 'invalid_exact_evm_nonce_already_used' }
const answerOf = (outcome: Outcome) => {
  if (outcome.kind !== 'answered') throw new Error(`not answered: ${JSON.stringify(outcome)}`)
  return { body: outcome.answer.body.toString(), receipt: outcome.receipt, settledAt: outcome.settledAt }
}

describe('a settled payment', () => {
  test('1 gets the stored answer and receipt for the same request, without a facilitator call or charge', async () => {
    const work = countedWork()
    const payment = await newPayment({ payer })
    const first = await gateway.pay(payment, work.work)
    expect(first).toMatchObject({
      kind: 'answered',
      replayed: false,
      receipt: { payer: payer.address.toLowerCase() },
    })
    const before = { ...proxy.calls }
    const again = await newGateway().pay(payment, work.work)
    expect(again).toMatchObject({ kind: 'answered', replayed: true })
    expect(answerOf(again)).toEqual(answerOf(first))
    expect(answerOf(again).body).toBe('{"n":1}')
    expect(proxy.calls).toEqual(before)
    expect(work.times).toBe(1)
    expect(await charged()).toBe(1_000n)
    const { transaction } = answerOf(first).receipt
    expect(await facilitator.anvil.call('eth_getTransactionReceipt', transaction)).toMatchObject({
      status: '0x1',
    })
  })

  test('2 does not buy another resource', async () => {
    const work = countedWork()
    const payment = await newPayment({ payer, path: '/coins' })
    await gateway.pay(payment, work.work)
    const other = await newPayment({ payer, path: '/news' })
    expect(await gateway.pay({ ...payment, resourceKey: other.resourceKey }, work.work)).toEqual(NONCE_USED)
    expect(work.times).toBe(1)
    expect(await charged()).toBe(1_000n)
  })

  test('4 with another signature, window or amount under the same nonce is refused', async () => {
    const work = countedWork()
    const payment = await newPayment({ payer })
    await gateway.pay(payment, work.work)
    const { nonce } = payment.authorization
    const given = payment.request.paymentPayload.payload.authorization
    const later = String(Number(given.validBefore) + 1)
    for (const change of [{ validBefore: later }, { value: '2000' }, { validAfter: '1' }]) {
      const other = await newPayment({ payer, nonce: nonce as `0x${string}`, ...change })
      expect(await gateway.pay(other, work.work)).toEqual(NONCE_USED)
    }
    const resigned = structuredClone(payment.request)
    resigned.paymentPayload.payload.signature = `0x${'11'.repeat(64)}1b`
    expect(await gateway.pay({ ...payment, request: resigned }, work.work)).toEqual(NONCE_USED)
    expect(work.times).toBe(1)
    expect(await charged()).toBe(1_000n)
  })

  test('is found by `find`, which reports pending ones too and claims nothing', async () => {
    const [settled, lost, fresh] = [
      await newPayment({ payer }),
      await newPayment({ payer }),
      await newPayment({ payer }),
    ]
    const first = await gateway.pay(settled, countedWork().work)
    const found = await gateway.find(settled)
    expect(found).toMatchObject({ kind: 'answered', replayed: true })
    expect(answerOf(found!)).toEqual(answerOf(first))
    const other = await newPayment({ payer, path: '/news' })
    expect(await gateway.find({ ...settled, resourceKey: other.resourceKey })).toBeNull()
    proxy.plan('settle', LOST['a cut connection']!(false), LOST['a cut connection']!(false))
    expect(await gateway.pay(lost, countedWork().work)).toEqual({ kind: 'pending' })
    expect(await gateway.find(lost)).toEqual({ kind: 'pending' })
    expect(await gateway.find(fresh)).toBeNull()
    expect(await rig.stateOf(fresh)).toBeNull()
  })

  test('repeats its answer for `replaySeconds`, and its row stays for good', async () => {
    const gateway = newGateway({ replaySeconds: 300 })
    const payment = await newPayment({ payer })
    await gateway.pay(payment, countedWork().work)
    const shift = async (minutes: number) => {
      const by = `interval '${minutes} minutes'`
      await query(
        rig.database.ownerUrl,
        `with p as (update payments set valid_before = valid_before - ${by}, settled_at = settled_at - ${by} where nonce = $1 returning id)
         update payment_answers set expires_at = expires_at - ${by} from p where payment_id = p.id`,
        [payment.authorization.nonce],
      )
      await query(rig.database.ownerUrl, 'select clean_payments()')
    }
    await shift(4)
    expect(await gateway.pay(payment, countedWork().work)).toMatchObject({ kind: 'answered', replayed: true })
    await shift(2)
    expect(await gateway.pay(payment, countedWork().work)).toEqual(NONCE_USED)
    expect(await gateway.find(payment)).toBeNull()
    // Another gateway may have a longer `replaySeconds`.
    const patient = newGateway({ replaySeconds: 3_600 })
    expect(await patient.pay(payment, countedWork().work)).toMatchObject({ kind: 'answered', replayed: true })
    await shift(60)
    expect(await patient.pay(payment, countedWork().work)).toEqual(NONCE_USED)
    expect(await rig.stateOf(payment)).toBe('settled')
  })
})

test('an answer is kept for an hour after its settlement, however late that came', async () => {
  const patient = newGateway({ replaySeconds: 3_600 })
  const payment = await newPayment({ payer })
  const first = await patient.pay(payment, countedWork().work)
  await query(
    rig.database.ownerUrl,
    `update payment_answers set expires_at = now() - interval '1 minute'
     where payment_id = (select id from payments where nonce = $1)`,
    [payment.authorization.nonce],
  )
  await query(rig.database.ownerUrl, 'select clean_payments()')
  expect(answerOf(await patient.pay(payment, countedWork().work))).toEqual(answerOf(first))
})

test.each([
  ['3 fifty parallel requests with one signature', 1],
  ['42 two gateways with one signature', 2],
])('S10 %s: one settlement and one answer', async (_, count) => {
  const gateways = [gateway, newGateway()].slice(0, count)
  const work = countedWork()
  const payment = await newPayment({ payer })
  const settlesBefore = proxy.calls['settle']!
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, i) => gateways[i % count]!.pay(payment, work.work)),
  )
  const answered = outcomes.filter(({ kind }) => kind === 'answered')
  expect(new Set(answered.map((outcome) => JSON.stringify(answerOf(outcome)))).size).toBe(1)
  expect(outcomes.filter(({ kind }) => kind !== 'answered' && kind !== 'busy')).toEqual([])
  expect(answered.length).toBeGreaterThan(0)
  expect(outcomes.filter((outcome) => outcome.kind === 'answered' && !outcome.replayed).length).toBe(1)
  expect(proxy.calls['settle']! - settlesBefore).toBe(1)
  expect(work.times).toBe(1)
  expect(await charged()).toBe(1_000n)
})

describe('a facilitator that fails', () => {
  test('25 at verify: 503 at once, and the same header works later', async () => {
    const work = countedWork()
    const payment = await newPayment({ payer })
    await facilitator.end()
    const startMs = performance.now()
    expect(await gateway.pay(payment, work.work)).toEqual({ kind: 'unreachable' })
    expect(performance.now() - startMs).toBeLessThan(5_000)
    expect(await rig.stateOf(payment)).toBeNull()
    await facilitator.start()
    expect(await gateway.pay(payment, work.work)).toMatchObject({ kind: 'answered' })
    expect(await charged()).toBe(1_000n)
  })

  for (const rpc of [true, false])
    for (const [name, lost] of Object.entries(LOST))
      for (const sent of [true, false])
        test(`26 at settle by ${name} ${sent ? 'after' : 'before'} settling, ${rpc ? 'with' : 'without'} a node: a retry gets the answer unless the nonce is in doubt`, async () => {
          const work = countedWork()
          const payment = await newPayment({ payer, value: '5000' })
          // A node shows the settlement only if it was made by the deadline.
          const hasty = newGateway({ rpc, settleDeadlineMs: rpc && sent ? 5_000 : 700 })
          const gateway = newGateway({ rpc })
          const followed = proxy.calls['lie']
          proxy.plan('settle', lost(sent))
          const first = await hasty.pay(payment, work.work)
          if (rpc && sent) expect(first).toMatchObject({ kind: 'answered' })
          else expect(first).toEqual({ kind: 'pending' })
          const again = await gateway.pay(payment, work.work)
          if (!(rpc && sent)) expect(again).toEqual({ kind: 'pending' })
          await expect.poll(charged).toBe(sent ? 5_000n : 0n)
          await rig.passTime()
          const later = await gateway.pay(payment, work.work)
          // Without a node a used nonce proves nothing, as it may be cancelled. The operator decides.
          if (rpc || !sent) expect(answerOf(later).body).toBe('{"n":1}')
          else expect(later).toEqual({ kind: 'pending' })
          expect(await rig.stateOf(payment)).toBe(rpc || !sent ? 'settled' : 'unknown')
          expect(work.times).toBe(1)
          expect(await charged()).toBe(5_000n)
          expect(proxy.calls['lie']).toBe(followed)
        })

  test('is not called in parallel for one payment, and at most every 10 s', async () => {
    const payment = await newPayment({ payer })
    proxy.plan('settle', LOST['status 500']!(false))
    expect(await gateway.pay(payment, countedWork().work)).toEqual({ kind: 'pending' })
    const before = proxy.calls['settle']!
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => gateway.pay(payment, countedWork().work)),
    )
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['pending']))
    expect(proxy.calls['settle']).toBe(before)
    await rig.passTime()
    const later = await Promise.all(
      Array.from({ length: 20 }, () => gateway.pay(payment, countedWork().work)),
    )
    expect(later.filter(({ kind }) => kind === 'answered').length).toBeGreaterThan(0)
    expect(proxy.calls['settle']).toBe(before + 1)
    expect(await charged()).toBe(1_000n)
  })
})

test('31 after a process dies before settling, the payment settles once with the next request', async () => {
  for (const [statement, moment] of [
    ['claim_payment', 'before'] as const,
    ['claim_payment', 'after'] as const,
    ['store_payment', 'before'] as const,
    ['store_payment', 'after'] as const,
  ]) {
    const work = countedWork()
    const payment = await newPayment({ payer })
    const before = await charged()
    const mortal = newGateway()
    mortal.dieAt(statement, moment)
    void mortal.pay(payment, work.work)
    await expect.poll(mortal.isDead).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await charged()).toBe(before)
    await rig.passTimeForDead()
    expect(await newGateway().pay(payment, work.work)).toMatchObject({ kind: 'answered' })
    expect((await charged()) - before).toBe(1_000n)
  }
})

test.each(['before', 'after'] as const)(
  '30 after a process dies once the chain has settled, %s recording it, the payer gets the stored answer',
  async (moment) => {
    const work = countedWork()
    const payment = await newPayment({ payer })
    const mortal = newGateway()
    mortal.dieAt('settle_payment', moment)
    void mortal.pay(payment, work.work)
    await expect.poll(mortal.isDead).toBe(true)
    expect(await charged()).toBe(1_000n)
    await rig.passTimeForDead()
    expect(answerOf(await newGateway().pay(payment, work.work)).body).toBe('{"n":1}')
    expect(work.times).toBe(1)
    expect(await charged()).toBe(1_000n)
  },
)

test('32 after a client hangs up, the settlement completes and its retry gets the stored answer', async () => {
  // The tests before have ended the lease of the shared one, which it renews once a second.
  const gateway = newGateway()
  const work = countedWork()
  const payment = await newPayment({ payer })
  proxy.plan('settle', async (call) => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    await pass(call)
  })
  void gateway.pay(payment, work.work)
  await expect.poll(() => rig.stateOf(payment)).toBe('settling')
  expect(await gateway.pay(payment, work.work)).toMatchObject({ kind: 'answered', replayed: true })
  expect(work.times).toBe(1)
  expect(await charged()).toBe(1_000n)
})

test.each([400, 404, 409, 500])(
  '33 a call that ends with %i is not charged, and its nonce can be used again',
  async (statusCode) => {
    const payment = await newPayment({ payer })
    const settlesBefore = proxy.calls['settle']
    expect(await gateway.pay(payment, countedWork({ statusCode }).work)).toMatchObject({
      kind: 'unpaid',
      answer: { statusCode },
    })
    expect(proxy.calls['settle']).toBe(settlesBefore)
    expect(await rig.stateOf(payment)).toBeNull()
    expect(await gateway.pay(payment, countedWork().work)).toMatchObject({ kind: 'answered' })
    expect(await charged()).toBe(1_000n)
  },
)

import type { PrivateKeyAccount } from 'viem/accounts'
import { beforeEach, expect, test } from 'vitest'
import type { Payment } from '../../gateway/settlement/payments.ts'
import { query } from '../setup/query.ts'
import { type Fault, pass } from './fault-proxy.ts'
import { countedWork, createPaymentRig, PAY_TO } from './payment-rig.ts'

// The answer is computed and stored while the facilitator verifies the payment. These tests cover the time
// before the verdict, a bad verdict, and the death of the process in between.

const rig = await createPaymentRig()
const { proxy, facilitator, newPayment, newGateway } = rig
const gateway = newGateway()
let payer: PrivateKeyAccount
let paidBefore: bigint

beforeEach(async () => {
  proxy.heal()
  payer = await rig.newPayer()
  paidBefore = await facilitator.usdcOf(PAY_TO)
})
const charged = async () => (await facilitator.usdcOf(PAY_TO)) - paidBefore
const storedAnswers = async ({ authorization }: Payment): Promise<number> => {
  const rows = await query(
    rig.database.ownerUrl,
    'select from payments join payment_answers on payment_id = id where nonce = $1',
    [authorization.nonce],
  )
  return rows.length
}

/** Holds the verification until the returned function is called, then ends it with `then`. */
function heldVerdict(then: Fault) {
  const { promise, resolve: speak } = Promise.withResolvers<void>()
  proxy.plan('verify', async (call) => {
    await promise
    await then(call)
  })
  return speak
}
const refuse: Fault = ({ reply }) =>
  reply(200, '{"isValid":false,"invalidReason":"invalid_exact_evm_transaction_simulation_failed"}')
const fail: Fault = ({ reply }) => reply(500, '{}')

test('the answer is stored before the verdict, but not sent or settled', async () => {
  const speak = heldVerdict(pass)
  const payment = await newPayment({ payer })
  const settlesBefore = proxy.calls['settle']
  const outcome = gateway.pay(payment, countedWork().work)
  await expect.poll(() => storedAnswers(payment)).toBe(1)
  expect(proxy.calls['settle']).toBe(settlesBefore)
  expect(await Promise.race([outcome, Promise.resolve('nothing yet')])).toBe('nothing yet')
  speak()
  expect(await outcome).toMatchObject({ kind: 'answered', replayed: false })
  expect(await charged()).toBe(1_000n)
})

test.each([
  ['refuses', refuse, 'refused'],
  ['fails', fail, 'unreachable'],
])('if the facilitator %s, no row is left and the nonce can be used again', async (_, then, kind) => {
  const speak = heldVerdict(then)
  const work = countedWork()
  const payment = await newPayment({ payer })
  const outcome = gateway.pay(payment, work.work)
  await expect.poll(() => storedAnswers(payment)).toBe(1)
  speak()
  expect(await outcome).toMatchObject({ kind })
  expect([await rig.stateOf(payment), await storedAnswers(payment)]).toEqual([null, 0])
  expect(await charged()).toBe(0n)
  expect(await gateway.pay(payment, work.work)).toMatchObject({ kind: 'answered', replayed: false })
  expect(await charged()).toBe(1_000n)
})

test('an answer that is ready after a refusal is not stored', async () => {
  proxy.plan('verify', refuse)
  const payment = await newPayment({ payer })
  const { promise, resolve: goOn } = Promise.withResolvers<void>()
  const work = countedWork()
  const outcome = gateway.pay(payment, async () => {
    await promise
    return work.work()
  })
  expect(await outcome).toMatchObject({ kind: 'refused' })
  goOn()
  await expect.poll(() => work.times).toBe(1)
  expect(await gateway.pay(payment, work.work)).toMatchObject({ kind: 'answered' })
  expect(await storedAnswers(payment)).toBe(1)
  expect(work.times).toBe(2)
})

test('after the process died, the payment settles only when the payer presents it again', async () => {
  heldVerdict(pass)
  const work = countedWork()
  const payment = await newPayment({ payer })
  const mortal = newGateway()
  mortal.dieAt('store_payment', 'after')
  void mortal.pay(payment, work.work)
  await expect.poll(() => storedAnswers(payment)).toBe(1)
  await rig.passTimeForDead()
  const settlesBefore = proxy.calls['settle']
  const other = newGateway()
  other.start()
  const lastError = async () =>
    (
      await query<{ last_error: string | null }>(
        rig.database.ownerUrl,
        'select last_error from payments where nonce = $1',
        [payment.authorization.nonce],
      )
    )[0]!.last_error
  await expect.poll(lastError).toBe('not_known_to_be_verified')
  expect(proxy.calls['settle']).toBe(settlesBefore)
  expect([await rig.stateOf(payment), await charged()]).toEqual(['settling', 0n])
  await rig.passTime()
  expect(await other.pay(payment, work.work)).toMatchObject({ kind: 'answered', replayed: true })
  expect(work.times).toBe(1)
  expect(await charged()).toBe(1_000n)
})

/** A payment whose process lost its lease after storing the answer, and then learns that it is refused. */
async function takenForDead() {
  const speak = heldVerdict(refuse)
  const payment = await newPayment({ payer })
  const outcome = newGateway().pay(payment, countedWork().work)
  await expect.poll(() => storedAnswers(payment)).toBe(1)
  await rig.passTimeForDead()
  return { payment, outcome, speak }
}

test('a process without its lease does not refuse a payment that another process has settled', async () => {
  const { payment, outcome, speak } = await takenForDead()
  expect(await gateway.pay(payment, countedWork().work)).toMatchObject({ kind: 'answered', replayed: true })
  speak()
  // The chain now overrules the facilitator.
  expect(await outcome).toMatchObject({ kind: 'answered' })
  expect(await charged()).toBe(1_000n)
})

test('a process without its lease does not refuse a payment that another process holds', async () => {
  const { payment, outcome, speak } = await takenForDead()
  proxy.plan('settle', async (call) => {
    speak()
    await outcome
    await pass(call)
  })
  const other = gateway.pay(payment, countedWork().work)
  expect(await outcome).toEqual({ kind: 'pending' })
  expect(await other).toMatchObject({ kind: 'answered', replayed: true })
  expect(await charged()).toBe(1_000n)
})

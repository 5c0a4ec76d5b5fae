import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { toHex } from 'viem'
import { expect, test } from 'vitest'
import type { Outcome, Payment } from '../../gateway/settlement/payments.ts'
import { call } from '../../sandbox/chain/calls.ts'
import { jsonRpc } from '../setup/anvil.ts'
import { USDC } from '../setup/facilitator.ts'
import { query } from '../setup/query.ts'
import { atLeast, runs } from '../setup/runs.ts'
import { type Fault, LOST } from './fault-proxy.ts'
import { countedWork, createPaymentRig, transferOf } from './payment-rig.ts'

// Payments under random retries, facilitator faults and process deaths, on a real local chain.

const rig = await createPaymentRig()
const { proxy, facilitator } = rig
/** Serves payments that somebody submitted before they are presented. */
const newGateway = () => rig.newGateway({ servesElsewhere: true })
const RUNS = runs({ short: 12, long: 500 })
const PATHS = ['/coins', '/news'] as const
const STATEMENTS = [
  'claim_payment',
  'store_payment',
  'settle_payment',
  'doubt_payment',
  'release_payment',
  'take_open_payments',
]

const fault = fc.record({
  at: fc.constantFrom('verify' as const, 'settle' as const, 'settle' as const),
  // Without `timeout`, which is slow. The other faults lose the answer as well.
  name: fc.constantFrom(...Object.keys(LOST).filter((name) => name !== 'timeout')),
  sent: fc.boolean(),
})
const request = fc.record({
  gateway: fc.nat(1),
  payment: fc.nat(2),
  path: fc.constantFrom(0, 0, 0, 1),
  afterMs: fc.nat(40),
  /** Status of the call's answer. */
  status: fc.constantFrom(200, 200, 200, 200, 404),
})
/** Events that happen at the same time. */
const round = fc.record({
  faults: fc.array(fault, { maxLength: 3 }),
  requests: fc.array(request, { minLength: 1, maxLength: 6 }),
  death: fc.option(
    fc.record({
      gateway: fc.nat(1),
      statement: fc.constantFrom(...STATEMENTS),
      moment: fc.constantFrom('before' as const, 'after' as const),
    }),
    { freq: 2 },
  ),
  thirdParty: fc.option(fc.record({ payment: fc.nat(2), afterMs: fc.nat(40) }), { freq: 6 }),
})

const seen = { rounds: 0, deaths: 0, pending: 0, replayed: 0, recovered: 0, submitted: 0 }

/** Submits an authorization like a third party. It may already be used. */
async function submit(payment: Payment): Promise<void> {
  await jsonRpc(facilitator.rpcUrl, 'eth_sendTransaction', [transferOf(payment)]).then(
    () => void seen.submitted++,
    () => {},
  )
}

const isUsed = async ({ authorization }: Payment): Promise<boolean> => {
  const data = call('UsdCoin', 'authorizationState', [authorization.payer, authorization.nonce])
  return BigInt(await facilitator.anvil.call('eth_call', { to: USDC, data }, 'latest')) === 1n
}

test('payments are never charged twice or served unpaid, and each settled one has one stored answer', async () => {
  const payer = await rig.newPayer({ usdc: 1_000 })
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 4 }), async (rounds) => {
      proxy.heal()
      const payTo = toHex(randomBytes(20))
      const payments = await Promise.all(
        [0, 1, 2].map(() => rig.newPayment({ payer, payTo, validBefore: inFiveMinutes() })),
      )
      const isAskedElsewhere = payments.map((_, i) =>
        rounds.some(({ requests }) => requests.some(({ payment, path }) => payment === i && path === 1)),
      )
      const elsewhere = (await rig.newPayment({ payer, path: PATHS[1] })).resourceKey
      const asked = (payment: number, path: number): Payment =>
        path === 0 ? payments[payment]! : { ...payments[payment]!, resourceKey: elsewhere }
      /** Bodies sent for each payment. */
      const given = payments.map(() => new Set<string>())
      const gateways = [newGateway(), newGateway()]
      /** Checks what must hold for every outcome. */
      const judge = async (payment: number, outcome: Outcome): Promise<void> => {
        if (outcome.kind === 'pending') seen.pending++
        // A 402 for the call that it was made for would make clients pay twice.
        if (outcome.kind === 'refused' && !isAskedElsewhere[payment]) throw new Error(outcome.reason)
        if (outcome.kind !== 'answered') return
        if (outcome.replayed) seen.replayed++
        given[payment]!.add(outcome.answer.body.toString())
        expect(await isUsed(payments[payment]!)).toBe(true)
      }

      for (const { faults, requests, death, thirdParty } of rounds) {
        seen.rounds++
        proxy.heal()
        for (const { at, name, sent } of faults) proxy.plan(at, at === 'verify' ? down : LOST[name]!(sent))
        if (death) gateways[death.gateway]!.dieAt(death.statement, death.moment)
        const work = requests.map(async ({ gateway, payment, path, afterMs, status }) => {
          await sleep(afterMs)
          const asking = gateways[gateway]!
          const outcome = asking.pay(
            asked(payment, path),
            countedWork({ statusCode: status, body: answer() }).work,
          )
          // A dead process does not answer. Its payments are free once its lease expires.
          await Promise.race([
            outcome.then((known) => judge(payment, known)),
            asking.died.then(rig.passTimeForDead),
          ])
        })
        if (thirdParty) work.push(sleep(thirdParty.afterMs).then(() => submit(payments[thirdParty.payment]!)))
        await Promise.all(work)
        for (const [i, gateway] of gateways.entries())
          if (gateway.isDead()) {
            seen.deaths++
            gateways[i] = newGateway()
          }
        await rig.passTimeForDead()
      }

      proxy.heal()
      // Without faults, any process serves each charged payment, but only for its first use.
      const last = newGateway()
      for (const [i, payment] of payments.entries()) {
        const wasUsed = await isUsed(payment)
        await rig.passTimeForDead()
        const known = await rig.stateOf(payment)
        const outcomes = []
        for (const path of [0, 1])
          outcomes.push(await last.pay(asked(i, path), countedWork({ body: answer() }).work))
        isAskedElsewhere[i] = true
        for (const outcome of outcomes) await judge(i, outcome)
        expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['answered', 'refused'])
        if (wasUsed && known !== 'settled' && known !== null) seen.recovered++
        expect([i, given[i]!.size]).toEqual([i, 1])
        const stored = await query<{ state: string; body: Buffer }>(
          rig.database.ownerUrl,
          'select state, body from payments join payment_answers on payment_id = id where nonce = $1',
          [payment.authorization.nonce],
        )
        expect(stored.map(({ state, body }) => [state, body.toString()])).toEqual([['settled', ...given[i]!]])
      }
      expect(await facilitator.usdcOf(payTo)).toBe(3_000n)
      for (const gateway of [...gateways, last]) await gateway.close()
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
  console.table(seen)
  expect(seen.deaths).toBeGreaterThanOrEqual(atLeast(RUNS, 4))
  expect(seen.replayed).toBeGreaterThanOrEqual(RUNS)
  expect(seen.recovered).toBeGreaterThanOrEqual(atLeast(RUNS, 10))
})

const inFiveMinutes = () => String(Math.floor(Date.now() / 1000) + 300)
const down: Fault = ({ cut }) => cut()

let answers = 0
/** Each body is different. */
const answer = () => Buffer.from(String(answers++))

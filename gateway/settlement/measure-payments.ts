import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { OpenPaymentCount } from '../../db/payments/ledger.ts'
import type { Facilitator } from './facilitator-client.ts'
import type { Outcome, Payments } from './payments.ts'

const CALL_BUCKETS_S = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const OUTCOMES = [
  'answered',
  'replayed',
  'refused',
  'unpaid',
  'busy',
  'pending',
  'unproven',
  'unreachable',
  'error',
] as const

/** Wraps a facilitator and records the duration and outcome of its calls. */
export function measureFacilitator(facilitator: Facilitator, registry: Registry): Facilitator {
  const calls = new Histogram({
    name: 'sluice_gateway_facilitator_seconds',
    help: 'Duration of facilitator calls to verify or settle, by outcome.',
    labelNames: ['call', 'outcome'],
    buckets: CALL_BUCKETS_S,
    registers: [registry],
  })
  async function timed<T extends { kind: string }>(call: string, work: Promise<T>): Promise<T> {
    const stop = calls.startTimer({ call })
    const answer = await work
    stop({ outcome: answer.kind })
    return answer
  }
  return {
    ...facilitator,
    verify: (request) => timed('verify', facilitator.verify(request)),
    settle: (request) => timed('settle', facilitator.settle(request)),
  }
}

/** Wraps payments and counts their outcomes. */
export function measurePayments(payments: Payments, registry: Registry): Payments {
  const outcomes = new Counter({
    name: 'sluice_gateway_payments_total',
    help: 'Paid requests by outcome; replayed: a stored answer that was paid for before.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  for (const outcome of OUTCOMES) outcomes.inc({ outcome }, 0)
  const sold = new Counter({
    name: 'sluice_gateway_sold_base_units_total',
    help: 'Revenue of paid calls in base units of USDC.',
    registers: [registry],
  })
  async function counted<T extends Outcome | null>(work: Promise<T>, amount: bigint): Promise<T> {
    try {
      const outcome = await work
      if (outcome) outcomes.inc({ outcome: nameOf(outcome) })
      if (outcome?.kind === 'answered' && !outcome.replayed) sold.inc(Number(amount))
      return outcome
    } catch (error) {
      outcomes.inc({ outcome: 'error' })
      throw error
    }
  }
  return {
    ...payments,
    pay: (payment, work) => counted(payments.pay(payment, work), payment.amount),
    find: (payment) => counted(payments.find(payment), payment.amount),
  }
}

const nameOf = (outcome: Outcome): (typeof OUTCOMES)[number] =>
  outcome.kind === 'answered' && outcome.replayed ? 'replayed' : outcome.kind

/**
 * Registers gauges of open and lost payments. They come from the database, so every process reports the same.
 * Returns the function that refreshes them.
 */
export function measureOpenPayments(options: {
  open: () => Promise<OpenPaymentCount[]>
  lost: () => Promise<number>
  registry: Registry
}): () => Promise<void> {
  const { registry } = options
  const labels = { labelNames: ['state'] as const, registers: [registry] }
  const open = new Gauge({
    name: 'sluice_gateway_open_payments',
    help: 'Payments without a known outcome, by state: claimed, settling or unknown.',
    ...labels,
  })
  const oldest = new Gauge({
    name: 'sluice_gateway_open_payments_oldest_seconds',
    help: 'Age of the oldest open payment, by state.',
    ...labels,
  })
  const lost = new Gauge({
    name: 'sluice_gateway_lost_payments',
    help: 'Settled payments of the last day that a reorg removed from the chain.',
    registers: [registry],
  })
  return async () => {
    open.reset()
    oldest.reset()
    lost.reset()
    const [counts, lostCount] = await Promise.all([options.open(), options.lost()])
    lost.set(lostCount)
    for (const state of ['claimed', 'settling', 'unknown']) {
      const found = counts.find((one) => one.state === state)
      open.set({ state }, found ? Number(found.payments) : 0)
      oldest.set({ state }, found?.oldestS ?? 0)
    }
  }
}

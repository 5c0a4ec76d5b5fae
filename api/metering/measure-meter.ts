import { Counter, Histogram, type Registry } from 'prom-client'
import type { Meter } from '../../db/metering/meter.ts'

const STATEMENT_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1]
const BATCH_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 500]

/** Wraps a meter with metrics of charges, refused charges and the time of its statements. */
export function measureMeter(meter: Meter, registry: Registry): Meter {
  const registers = [registry]
  const charged = new Counter({
    name: 'sluice_credits_charged_total',
    help: 'Credits charged by endpoint, less refunds within the same request.',
    labelNames: ['endpoint'],
    registers,
  })
  const refused = new Counter({
    name: 'sluice_charges_refused_total',
    help: 'Charges refused because the account had too few credits left.',
    labelNames: [],
    registers,
  })
  const statements = new Histogram({
    name: 'sluice_meter_statement_seconds',
    help: 'Duration of a metering statement, including the wait for a connection.',
    labelNames: ['statement'],
    buckets: STATEMENT_BUCKETS_S,
    registers,
  })
  const batches = new Histogram({
    name: 'sluice_meter_batch_size',
    help: 'Requests handled by one metering statement.',
    labelNames: ['statement'],
    buckets: BATCH_BUCKETS,
    registers,
  })

  async function timed<T>(statement: string, work: Promise<T>): Promise<T> {
    const stop = statements.labels({ statement }).startTimer()
    try {
      return await work
    } finally {
      stop()
    }
  }

  function count(charge: { endpoint: string; credits: number }, paid: boolean): void {
    if (paid) charged.inc({ endpoint: charge.endpoint }, charge.credits)
    else refused.inc()
  }

  return {
    ...meter,
    authenticate: (keyHash) => timed('authenticate', meter.authenticate(keyHash)),
    async admit(requests) {
      let size = 0
      for (const wanted of requests.values()) size += wanted
      batches.observe({ statement: 'admit' }, size)
      return timed('admit', meter.admit(requests))
    },
    async charge(charges) {
      batches.observe({ statement: 'charge' }, charges.length)
      const results = await timed('charge', meter.charge(charges))
      for (const [i, { paid }] of results.entries()) count(charges[i]!, paid)
      return results
    },
    async chargeInPart(charge) {
      const result = await timed('charge_in_part', meter.chargeInPart(charge))
      count({ ...charge, credits: charge.credits - charge.refund }, result.paid)
      return result
    },
    async chargeWrite(charge) {
      const result = await timed('charge_write', meter.chargeWrite(charge))
      if (!result.mismatch && result.replayedBody === null) count(charge, result.paid)
      return result
    },
  }
}

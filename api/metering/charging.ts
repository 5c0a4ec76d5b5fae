import type { Charge, ChargeResult, Meter } from '../../db/metering/meter.ts'
import { createBatcher } from './batcher.ts'

/** Charges one request; resolves once its ledger row has committed, together with those of the same moment. */
export function createCharging(meter: Meter): (charge: Charge) => Promise<ChargeResult> {
  return createBatcher<Charge, ChargeResult>({
    maxBatch: 500,
    maxWaiting: 5_000,
    run: (charges) => meter.charge(charges),
  })
}

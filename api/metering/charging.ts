import type { Charge, ChargeResult, Meter } from '../../db/metering/meter.ts'
import type { Tracer } from '../../ops/telemetry/tracer.ts'
import { createBatcher } from './batcher.ts'

/** Charges one request; resolves once its ledger row has committed, together with those of the same moment. */
export function createCharging(deps: {
  meter: Meter
  tracer?: Tracer | null
}): (charge: Charge) => Promise<ChargeResult> {
  const { meter, tracer = null } = deps
  return createBatcher<Charge, ChargeResult>({
    maxBatch: 500,
    maxWaiting: 5_000,
    tracer,
    run: (charges) => meter.charge(charges),
  })
}

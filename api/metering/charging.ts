import type { Charge, ChargeResult, Meter } from '../../db/metering/meter.ts'
import type { Tracer } from '../../ops/telemetry/tracer.ts'
import { createBatcher } from './batcher.ts'

/** Charges one request, batched with concurrent ones. Resolves once its row of the ledger has committed. */
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

import type { Balance, Charge, ChargeResult, Command, Meter, Write } from '../../db/metering/meter.ts'
import { createBatcher } from './batcher.ts'

declare module '../route.ts' {
  interface RequestAccount {
    balance: Balance
  }

  interface Answer<Body> {
    /** Workflows that start once the charge of the request has committed. */
    commands?: Command[]
    /** Writes in that same transaction. On a conflict the handler runs again. */
    writes?: Write[]
    /** What a repeated request with the same Idempotency-Key gets instead: secrets are not kept. */
    repeated?: Body
  }
}

/** Charges one request, batched with concurrent ones. Resolves once its row of the ledger has committed. */
export function createCharging(meter: Meter): (charge: Charge) => Promise<ChargeResult> {
  return createBatcher<Charge, ChargeResult>({
    maxBatch: 500,
    maxWaiting: 5_000,
    run: (charges) => meter.charge(charges),
  })
}

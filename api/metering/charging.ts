import type { Balance, Charge, ChargeResult, Command, Meter } from '../../db/metering/meter.ts'
import type { PortfolioWrite } from '../../db/portfolios/portfolio-write.ts'
import { createBatcher } from './batcher.ts'

declare module '../route.ts' {
  interface RequestAccount {
    balance: Balance
  }

  // oxlint-disable-next-line no-unused-vars -- a merged interface repeats its type parameters
  interface Answer<Body> {
    /** Workflows that start once the charge of the request has committed. */
    commands?: Command[]
    /** Writes in that same transaction. On a conflict the handler runs again. */
    writes?: PortfolioWrite[]
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

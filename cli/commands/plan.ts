import type { Given } from '../command-spec.ts'
import { networkPlan } from '../network-plan.ts'
import { operatorEnvironment } from '../operator-environment.ts'
import { printRows } from '../print.ts'
import type { PLAN } from '../specs/watch.ts'

/** Lists how each network is, or would be, followed. */
export async function run(given: Given<typeof PLAN>): Promise<void> {
  printRows(await networkPlan(operatorEnvironment()), given)
}

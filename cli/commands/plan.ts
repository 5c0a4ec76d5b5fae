import type { Given } from '../command-spec.ts'
import { networkPlan } from '../network-plan.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { operatorEnvironment } from '../operator-environment.ts'
import { tableText, toJson } from '../print.ts'
import { sourcePlan, sourcePlanText } from '../source-plan.ts'
import type { PLAN } from '../specs/watch.ts'

/** Shows what sources are asked for in a day against their allowances, then how each network is followed. */
export async function run({ json }: Given<typeof PLAN>): Promise<void> {
  const env = operatorEnvironment()
  const sources = await withOperatorDatabase((db) => sourcePlan(db, env))
  if (json) return console.log(toJson({ ...sources, networks: await networkPlan(env) }))
  console.log(`${sourcePlanText(sources)}\n\nNetworks:`)
  console.log(tableText(await networkPlan(env)))
}

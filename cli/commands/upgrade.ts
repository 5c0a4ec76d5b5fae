import { readFileSync } from 'node:fs'
import { readUpgradePlan } from '../../db/upgrade-plan.ts'
import { VERSION } from '../../ops/settings/version.ts'
import { UsageError } from '../command.ts'
import type { Given } from '../command-spec.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { operatorEnvironment } from '../operator-environment.ts'
import { toJson } from '../print.ts'
import type { UPGRADE } from '../specs/system.ts'

/** Says what an upgrade to this release would do, and changes nothing. Exit code 1: something stands in its way. */
export async function run(given: Given<typeof UPGRADE>): Promise<number> {
  if (!given.check)
    throw new UsageError(
      'an upgrade is "git pull" and "npm start", or "sluice migrate" in containers: docs/operator.md. --check says what it would do',
    )
  const plan = await withOperatorDatabase((db) => readUpgradePlan(db))
  const env = operatorEnvironment()
  // Settings of what is sold are checked with all routes.
  const { doubtsOf, problemsOf } = await import('../check-environment.ts')
  const settings = { problems: problemsOf(env), doubts: doubtsOf(env) }
  const node = { wanted: wantedNode(), runs: process.versions.node }
  const obstacles = [
    ...plan.unknown.map((name) => `the database has migration ${name}, which this release does not know`),
    ...settings.problems,
  ]
  if (given.json) console.log(toJson({ version: VERSION, node, ...plan, settings, obstacles }))
  else print({ plan, doubts: settings.doubts, obstacles })
  return obstacles.length === 0 ? 0 : 1
}

function print({
  plan,
  doubts,
  obstacles,
}: {
  plan: Awaited<ReturnType<typeof readUpgradePlan>>
  doubts: readonly string[]
  obstacles: readonly string[]
}): void {
  const { migrations, replaced } = plan
  if (migrations.length === 0 && replaced.length === 0)
    console.log(`The database has the schema of this release, ${VERSION}.`)
  else {
    console.log(`An upgrade to ${VERSION} would run ${migrations.length} migrations:`)
    for (const { name, drops } of migrations)
      console.log(`  ${name}${drops ? '  takes something away: stop old processes first' : ''}`)
    console.log(
      `and replace ${replaced.length} functions, views, triggers and tables of facts. Back up first: docs/deployment.md#back-up-and-restore.`,
    )
  }
  for (const doubt of doubts) console.log(`warning: ${doubt}`)
  for (const obstacle of obstacles) console.log(`FAIL  ${obstacle}`)
}

function wantedNode(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { dependencies: Record<string, string> }).dependencies['node'] ?? ''
}

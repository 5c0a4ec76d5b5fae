import { userInfo } from 'node:os'
import { orderBackfill, planBackfill } from '../../db/console/backfill.ts'
import { duration } from '../../db/values/duration.ts'
import { CommandError, UsageError } from '../command.ts'
import type { Given } from '../command-spec.ts'
import { knownSources } from '../known-sources.ts'
import { notBefore } from '../not-before.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { operatorEnvironment } from '../operator-environment.ts'
import { printRows, toJson } from '../print.ts'
import type { BACKFILL } from '../specs/data.ts'

export function run(given: Given<typeof BACKFILL>): Promise<void> {
  const { from, to = new Date(), resolution } = given
  if (from >= to) throw notBefore(from, to)
  if (to > new Date()) throw new UsageError('--to must not be in the future')
  const span = { resolution, fromMs: from.getTime(), toMs: to.getTime() }
  return withOperatorDatabase(async (db) => {
    const coinIds = given.coins === undefined ? null : coinsOf(given.coins)
    const sources = await knownSources(db, operatorEnvironment())
    const { sources: plan, missing, unknown } = await planBackfill(db, { ...span, coinIds }, sources)
    if (unknown.length > 0)
      throw new CommandError(`no coins with a source: ${unknown.slice(0, 10).join(', ')}`)
    const dryRun = given['dry-run']
    if (!dryRun && missing.length > 0)
      await orderBackfill(db, { ...span, coinIds: missing, operator: userInfo().username })
    if (given.json) return console.log(toJson({ ...span, dryRun, coins: missing.length, plan }))
    if (missing.length === 0) return console.log('nothing is missing in this span')
    printRows(
      plan.map(({ leastSeconds, ...one }) => ({
        ...one,
        'at least': leastSeconds === null ? '' : duration(leastSeconds),
      })),
      given,
    )
    console.log(
      dryRun
        ? 'dry run: nothing was requested'
        : 'requested; "sluice status" shows the workflow fillPriceHistory while it runs',
    )
  })
}

const coinsOf = (list: string) => [...new Set(list.split(',').map((id) => id.trim()))]

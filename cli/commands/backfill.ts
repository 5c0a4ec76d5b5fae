import { chunksOf, firstAsked, requestsOf } from '../../activities/prices/plan-history.ts'
import type { Db } from '../../db/schema.ts'
import { order } from '../../db/portfolios/operator.ts'
import { readHistoryStates, readLaggingCoins } from '../../db/prices/read-for-ingest.ts'
import { duration } from '../../db/values/duration.ts'
import type { FillPriceHistoryInput } from '../../workflows/prices/fill-price-history.ts'
import { CommandError, UsageError } from '../command.ts'
import type { Given } from '../command-spec.ts'
import { notBefore } from '../not-before.ts'
import { knownSources } from '../known-sources.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { operatorEnvironment } from '../operator-environment.ts'
import { printRows, toJson } from '../print.ts'
import type { BACKFILL } from '../specs/data.ts'

const MOST_COINS = 10_000

export function run(given: Given<typeof BACKFILL>): Promise<void> {
  const { from, to = new Date(), resolution } = given
  if (from >= to) throw notBefore(from, to)
  if (to > new Date()) throw new UsageError('--to must not be in the future')
  const span = { resolution, fromMs: from.getTime(), toMs: to.getTime() }
  return withOperatorDatabase(async (db) => {
    const coinIds = given.coins === undefined ? await listedCoins(db, span.resolution) : coinsOf(given.coins)
    const { plan, missing } = await planOf(db, { ...span, coinIds })
    const dryRun = given['dry-run']
    if (!dryRun && missing.length > 0) {
      // A unique id, because another span may be fetched at the same time.
      const workflowId = `fill-price-history:${resolution}:${from.toISOString()}:${to.toISOString()}:${Date.now()}`
      const input: FillPriceHistoryInput = { ...span, coinIds: missing }
      await order(db, { workflow: 'fillPriceHistory', workflowId, input })
    }
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

const listedCoins = (db: Db, resolution: FillPriceHistoryInput['resolution']) =>
  readLaggingCoins(db, { resolution, until: new Date('9999-12-31'), limit: MOST_COINS })

const coinsOf = (list: string) => [...new Set(list.split(',').map((id) => id.trim()))]

/** Plans by the same rule as the worker: the stored prices of a coin have no gaps and grow at both ends. */
async function planOf(db: Db, { coinIds, ...window }: FillPriceHistoryInput) {
  const states = await readHistoryStates(db, { resolution: window.resolution, coinIds })
  const unknown = coinIds.filter((id) => !states.some(({ coinId }) => coinId === id))
  if (unknown.length > 0) throw new CommandError(`no coins with a source: ${unknown.slice(0, 10).join(', ')}`)
  const chunks = states.flatMap((state) => chunksOf(state, window))
  const sources = await knownSources(db, operatorEnvironment())
  const plan = [...Map.groupBy(chunks, ({ state }) => firstAsked(state))].map(([source, own]) => {
    const requests = own.reduce((sum, chunk) => sum + requestsOf(chunk, window.resolution), 0)
    const limit = sources.find(({ settings }) => settings.name === source)?.settings
    return {
      source,
      coins: new Set(own.map(({ state }) => state.coinId)).size,
      requests,
      leastSeconds: limit?.requestsPerSecond ? requests / limit.requestsPerSecond : null,
    }
  })
  return { plan, missing: [...new Set(chunks.map(({ state }) => state.coinId))] }
}

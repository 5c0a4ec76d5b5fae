import { expect, test } from 'vitest'
import { query } from '../setup/query.ts'
import { startFilledPredictionWorld } from './prediction-world.ts'

const { database, activities } = await startFilledPredictionWorld()
const run = <Row extends object>(sql: string, values: unknown[] = []) =>
  query<Row>(database.ownerUrl, sql, values)

/** Of today, summaries know the current prices. */
const openValues = () =>
  run(
    `select trader_id, category, day, open_value_usd from prediction_trader_days
     where open_value_usd <> 0 and day < (select max(day) from prediction_trader_days)
     order by trader_id, category, day`,
  )
async function computeTraders(): Promise<void> {
  while ((await activities.refreshPredictionTraders({ limit: 500 })) > 0);
}

// A market's fills may be there hours before its prices, if a venue has more markets than a run reads prices of.
test('past days of traders are worth what the prices of those days say, also if prices come after the fills', async () => {
  const expected = await openValues()
  const [market] = await run<{ id: number }>(
    `select market_id as id from prediction_prices where minutes = 1440 and market_id in (
       select market_id from prediction_positions where status = 'open')
     group by 1 order by count(*) desc, 1 limit 1`,
  )
  const { id } = market!
  await run('delete from prediction_prices where market_id = $1', [id])
  await run('update prediction_trade_states set detail_at = null, prices_at = null where market_id = $1', [
    id,
  ])
  await run('update prediction_traders set dirty = true')
  await computeTraders()
  expect(await openValues()).not.toEqual(expected)

  await activities.loadMarketDetails({ marketIds: [id] })
  await computeTraders()
  expect(await openValues()).toEqual(expected)
})

import { DuckDBInstance } from '@duckdb/node-api'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Leg } from '../../../db/pnl/legs/leg.ts'
import { toNumber } from '../../../db/values/decimal.ts'
import { HOUR_MS } from '../../../db/values/periods.ts'
import { COINS, FROM_MS, HOURS, PRICE_SQL } from './history.ts'

/** Opens DuckDB in this process with two threads, one per core of the reference machine. */
export async function openDuckDb(): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' })
  return await instance.connect()
}

/** Writes all hourly prices to one Parquet file, sorted by coin and hour. */
export async function writePrices(duckdb: DuckDBConnection, file: string): Promise<void> {
  await duckdb.run(`copy (
    select coin::integer as coin, hour::integer as hour, ${PRICE_SQL} as price
    from range(${COINS}) as coins (coin), range(${HOURS}) as hours (hour) order by coin, hour
  ) to '${file}' (format parquet)`)
}

/** Reads the prices from the file, one array of doubles per coin. */
export async function readPrices(duckdb: DuckDBConnection, file: string): Promise<Float64Array[]> {
  const columns = Array.from({ length: COINS }, () => new Float64Array(HOURS))
  const result = await duckdb.stream(`select coin, hour, price from '${file}'`)
  for (
    let chunk = await result.fetchChunk();
    chunk && chunk.rowCount > 0;
    chunk = await result.fetchChunk()
  ) {
    const [coins, hours, prices] = [
      chunk.getColumnVector(0),
      chunk.getColumnVector(1),
      chunk.getColumnVector(2),
    ]
    for (let row = 0; row < chunk.rowCount; row++) {
      columns[coins.getItem(row) as number]![hours.getItem(row) as number] = prices.getItem(row) as number
    }
  }
  return columns
}

/**
 * Loads the legs into a DuckDB table: hour, coin, quantity, and the flow of legs that cross the border of the
 * scope.
 */
export async function loadLegs(
  duckdb: DuckDBConnection,
  transactions: Leg[][],
  coins: Map<string, number>,
): Promise<void> {
  await duckdb.run('create table legs (hour integer, coin integer, quantity double, flow double)')
  const appender = await duckdb.createAppender('legs')
  for (const leg of transactions.flat()) {
    const quantity = toNumber(leg.quantity)
    appender.appendInteger(Math.floor((leg.atMs - FROM_MS) / HOUR_MS))
    appender.appendInteger(coins.get(leg.coinId)!)
    appender.appendDouble(quantity)
    appender.appendDouble(leg.role === 'transfer' ? quantity * toNumber(leg.priceUsd!) : 0)
    appender.endRow()
  }
  appender.closeSync()
}

/** Queries for the value at each hour and the flow of the hour that starts there. The fastest one counts. */
export const QUERIES: Record<string, (file: string) => string> = {
  'as-of join': (file) => `
    with balances as (
      select coin, hour + 1 as hour, sum(sum(quantity)) over (partition by coin order by hour) as balance
      from legs group by coin, legs.hour
    ), worths as (
      select prices.hour, sum(price * balance) as value
      from '${file}' as prices asof join balances on prices.coin = balances.coin and prices.hour >= balances.hour
      group by prices.hour
    ), flows as (select hour, sum(flow) as flow from legs group by hour)
    select hours.hour, coalesce(value, 0) as value, coalesce(flow, 0) as flow
    from range(${HOURS}) as hours (hour) left join worths using (hour) left join flows using (hour) order by hour`,
  'window over the grid': (file) => `
    with changes as (select coin, hour + 1 as hour, sum(quantity) as quantity from legs group by all),
    grid as (
      select prices.hour, price * sum(coalesce(quantity, 0)) over (partition by prices.coin order by prices.hour) as worth
      from '${file}' as prices left join changes on prices.coin = changes.coin and prices.hour = changes.hour
    ), worths as (select hour, sum(worth) as value from grid group by hour),
    flows as (select hour, sum(flow) as flow from legs group by hour)
    select hour, coalesce(value, 0) as value, coalesce(flow, 0) as flow
    from worths left join flows using (hour) order by hour`,
}

export interface Series {
  value: Float64Array
  flow: Float64Array
}

export async function runQuery(duckdb: DuckDBConnection, sql: string): Promise<Series> {
  const reader = await duckdb.runAndReadAll(sql)
  const [, value, flow] = reader.getColumns()
  return { value: Float64Array.from(value as number[]), flow: Float64Array.from(flow as number[]) }
}

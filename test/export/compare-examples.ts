import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect } from 'vitest'
import { blocksOf, readPage } from '../docs/read-page.ts'

const page = readPage('docs/analyst.md')
/** The queries of docs/analyst.md with a parameter, by the name of their parameter. */
export const EXAMPLES = new Map(
  [...page.matchAll(/```sql\n-- (\w+)\n(.*?)```/gs)].map(([, name, sql]) => [name!, sql!]),
)
/** Those that run as they stand. Others begin with a comment that says what they need. */
export const QUERIES = blocksOf(page).filter(({ kind, text }) => kind === 'sql' && !text.startsWith('-- '))

/** Runs statements on a catalog and returns the rows of the last one, with numbers as texts. */
export async function askCatalog(
  folder: string,
  ...statements: string[]
): Promise<Record<string, unknown>[]> {
  const path = join(folder, 'catalog.duckdb')
  const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  try {
    const last = statements.pop()!
    for (const statement of statements) await connection.run(statement)
    return (await connection.runAndReadAll(last)).getRowObjectsJson()
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/**
 * Runs each example and compares its result with the answer of the API. Returns the number of figures per
 * example.
 */
export async function compareExamples(options: {
  folder: string
  wallet: string
  portfolio: string
  coin: string
  // Answers of every shape.
  // eslint-disable-next-line typescript/no-explicit-any
  answer: (path: string) => Promise<any>
}): Promise<{ wallet: number; portfolio: number; coin: number }> {
  const { folder, wallet, portfolio, coin, answer } = options
  const ask = (name: string, value: string) =>
    askCatalog(folder, `set variable ${name} = '${value}'`, EXAMPLES.get(name)!)

  const held = await ask('wallet', wallet)
  const balances = await answer(`/wallet/balance?address=${wallet}&connectionId=all`)
  // Rows of equal value may come in a different order.
  const figures = held.map((row) => [
    row['network_id'],
    row['coin_id'],
    row['symbol'],
    Number(row['amount']),
    Number(row['price_usd']),
  ])
  const answered = balances.map((one: any) => [
    one.connectionId,
    one.coinId,
    one.symbol,
    one.amount,
    one.price,
  ])
  const inOrder = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort()
  expect(inOrder(figures)).toEqual(inOrder(answered))

  const months = await ask('portfolio', portfolio)
  const { result } = await answer(`/portfolio/pl/history?portfolioId=${portfolio}&interval=monthly&range=all`)
  // The export has only the finished days of the last month.
  const whole = months.slice(0, -1).map(({ profit_usd: profit }) => Number(profit))
  expect(result.length).toBeGreaterThanOrEqual(months.length)
  expect(whole).toEqual(result.slice(0, whole.length).map((one: any) => one.profitLoss))

  const prices = await ask('coin', coin)
  const points = await answer(`/coins/${coin}/charts?period=all`)
  expect(prices.map((row) => [Date.parse(row['occurred_at'] as string) / 1_000, Number(row['usd'])])).toEqual(
    points.slice(0, -1).map((point: number[]) => point.slice(0, 2)),
  )
  return {
    wallet: held.length,
    portfolio: whole.filter((profit) => profit !== 0).length,
    coin: prices.length,
  }
}

import { describePortfolio } from '../../../api/portfolios/describe-portfolio.ts'
import { transactionsPage } from '../../../api/portfolios/list-transactions.ts'
import { readStatedTransactions, type StatedRow } from '../../../db/portfolios/read-manual-transactions.ts'
import type { Portfolio } from '../../../db/portfolios/read-portfolios.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import { csvLine } from '../../../db/values/csv-line.ts'

const PAGE = 1_000

/** Every coin that moved in a transaction of the portfolios, newest first, as lines of a CSV file. Worths are in USD. */
export async function* transactionLines(
  db: ReadonlyDb,
  { portfolios, now }: { portfolios: readonly Portfolio[]; now: Date },
): AsyncGenerator<string> {
  yield csvLine([
    'date',
    'portfolio',
    'type',
    'coin',
    'symbol',
    'count',
    'worth_usd',
    'fee_count',
    'fee_coin',
    'note',
  ])
  let after: Awaited<ReturnType<typeof transactionsPage>>['last']
  do {
    const { data, last } = await transactionsPage(db, {
      portfolios,
      currency: 'USD',
      after,
      limit: PAGE,
      now,
    })
    after = last
    let lines = ''
    for (const { date, portfolioInfo, transactionType, transfers = [], fee, note } of data) {
      const about = (more: readonly (string | number | undefined)[], isFirst: boolean) =>
        csvLine([
          date,
          portfolioInfo.name,
          transactionType,
          ...more,
          ...(isFirst && fee.count > 0 ? [fee.count, fee.coin.identifier] : ['', '']),
          note,
        ])
      const items = transfers.flatMap((transfer) => transfer.items)
      if (items.length === 0) lines += about(['', '', '', ''], true)
      for (const [i, { coin, count, totalWorth }] of items.entries())
        lines += about([coin.identifier, coin.symbol, count, totalWorth], i === 0)
    }
    yield lines
  } while (after)
}

/** The transactions that the owner stated, exactly, as a file that /account/import reads. */
export async function* statedLines(
  db: ReadonlyDb,
  { portfolios }: { portfolios: readonly Portfolio[] },
): AsyncGenerator<string> {
  yield csvLine(['date', 'coin', 'count', 'price', 'currency', 'note', 'portfolio'])
  for (const portfolio of portfolios) {
    const { name } = describePortfolio(portfolio)
    let after: StatedRow | undefined
    do {
      const rows = await readStatedTransactions(db, { portfolioId: portfolio.id, after, limit: PAGE })
      yield rows
        .map(({ at, coinId, count, price, currency, note }) =>
          csvLine([at.toISOString(), coinId, count, price, currency, note, name]),
        )
        .join('')
      after = rows.at(-1)
    } while (after)
  }
}

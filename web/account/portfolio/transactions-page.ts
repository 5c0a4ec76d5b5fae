import type { z } from 'zod'
import { shownCoins } from '../../../api/chain/holdings.ts'
import { dateParam, identifierParam, page } from '../../../api/params.ts'
import { transactionsPage as readPage } from '../../../api/portfolios/list-transactions.ts'
import { pendingOf, portfolioCoins } from '../../../api/portfolios/holding-set.ts'
import type { PortfolioTransaction } from '../../../api/portfolios/portfolio-transaction.ts'
import type { SelectedPortfolios } from '../../../api/portfolios/select-portfolios.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import { DAY_MS } from '../../../db/values/periods.ts'
import { amount, day, minute, type Money, moneyIn } from '../../parts/format.ts'
import { html, type Html } from '../../parts/html.ts'
import { table } from '../../parts/table.ts'
import { IMPORT } from '../import/preview-page.ts'
import { TRANSACTION } from '../manual/transaction-pages.ts'
import { type Asked, askedShape, linkTo, readQuery, selectOwn, type PortfolioVisit } from './asked.ts'
import { chooser, option, pendingNote } from './chooser.ts'

const SHOWN = 50
const OWN_LINKS = html`<a class="button" href="${TRANSACTION}">Add a transaction</a>
  <a class="button" href="${IMPORT}">Import a file</a>`
const COINS = 500

const shape = {
  ...askedShape,
  coinId: identifierParam('Transactions that moved this coin').optional(),
  from: dateParam('First day').optional(),
  to: dateParam('Last day').optional(),
  page: page(),
}

/** All transactions of the own portfolios, newest first, with filters. It costs no credits. */
export function transactionsPage({ db, now }: { db: ReadonlyDb; now: () => Date }) {
  return async ({ request, account: { accountId }, flash, show }: PortfolioVisit): Promise<void> => {
    const asked = readQuery(request, shape)
    const { all, selected } = await selectOwn(db, { accountId, portfolio: asked.portfolio })
    const dayAfter = asked.to && new Date(asked.to.getTime() + DAY_MS)
    const { data } = await readPage(db, { ...asked, ...selected, to: dayAfter, limit: SHOWN + 1, now: now() })
    const shown = data.slice(0, SHOWN)
    const money = moneyIn(asked.currency)
    show({
      title: 'Transactions',
      body: html`${await flash()}
        ${await chooser(db, { page: 'transactions', all, asked, fields: await filters(db, { selected, asked, now: now() }) })}
        ${pendingNote(pendingOf(selected), all)}
        <p class="row">
          ${asked.base === '/account' && OWN_LINKS} <a href="${linkTo('report', asked)}">Tax report</a>
        </p>
        ${
          shown.length === 0
            ? html`<p class="soft">No transactions.</p>`
            : html`<div class="wide">
                ${table({ label: 'Transactions', columns: COLUMNS, numbers: NUMBERS, rows: shown.map((one) => row(one, { money, base: asked.base })) })}
              </div>`
        }
        ${pages(asked, data.length > SHOWN)}`,
    })
  }
}

type Query = z.output<z.ZodObject<typeof shape>> & Pick<Asked, 'base'>

async function filters(
  db: ReadonlyDb,
  { selected, asked, now }: { selected: SelectedPortfolios; asked: Query; now: Date },
): Promise<Html> {
  const { rows } = await portfolioCoins(db, { selected, now })
  const coins = await shownCoins(db, rows, { page: 1, limit: COINS })
  const names = coins
    .map(({ coin }) => ({ id: coin.identifier, name: `${coin.name} (${coin.symbol})` }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
  return html`<label
      >Coin
      <select name="coinId">
        <option value="">All coins</option>
        ${names.map(({ id, name }) => option(id, name, asked.coinId))}
      </select></label
    ><label>From <input type="date" name="from" value="${asked.from && day(asked.from)}" /></label
    ><label>To, inclusive <input type="date" name="to" value="${asked.to && day(asked.to)}" /></label>`
}

const NUMBERS = ['Worth then', 'Worth now', 'Fee']
const COLUMNS = ['Time', 'What', 'Portfolio', ...NUMBERS, 'Note']

function row(one: PortfolioTransaction, { money, base }: { money: Money; base: string }) {
  const { id, transactionType, date, coinData, transfers = [], fee, portfolioInfo, note } = one
  const moved = transfers.map(({ transferType, items }) => {
    const coins = items.map(({ coin, count }) => `${amount(Math.abs(count))} ${coin.symbol || coin.name}`)
    return html`<span class="small">${transferType} ${coins.join(', ')}</span>`
  })
  return [
    html`<time datetime="${date}">${minute(new Date(date))}</time>`,
    html`${transactionType}${moved}${id !== undefined && base === '/account' && html`<a class="small" href="${TRANSACTION}/${id}">Correct</a>`}`,
    portfolioInfo.name,
    coinData && money.worth(coinData.totalWorth),
    coinData && money.worth(coinData.currentValue),
    fee.count > 0 && `${amount(fee.count)} ${fee.coin.symbol}`,
    note,
  ]
}

function pages(asked: Query, hasMore: boolean): Html {
  const { coinId, from, to, page: at } = asked
  const link = (page: number) =>
    linkTo('transactions', asked, { coinId, from: from && day(from), to: to && day(to), page: String(page) })
  return html`<nav class="row" aria-label="Pages">
    ${at > 1 && html`<a href="${link(at - 1)}">Newer</a>`}
    ${hasMore && html`<a href="${link(at + 1)}">Older</a>`}
  </nav>`
}

import { badRequest, portfolioNotFound } from '../../../api/errors.ts'
import { describePortfolio } from '../../../api/portfolios/describe-portfolio.ts'
import { postPortfolioTransaction } from '../../../api/portfolios/post-transaction.ts'
import { priceStated } from '../../../api/portfolios/price-stated.ts'
import type { Meter } from '../../../db/metering/meter.ts'
import { recomputePortfolio } from '../../../db/portfolios/commands.ts'
import { knownTransactions } from '../../../db/portfolios/read-manual-transactions.ts'
import { type Portfolio, readPortfolios } from '../../../db/portfolios/read-portfolios.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import type { Form } from '../../parts/form.ts'
import { count, minute } from '../../parts/format.ts'
import { html, type Html } from '../../parts/html.ts'
import { table } from '../../parts/table.ts'
import { chargeCall } from '../charge-call.ts'
import { option } from '../portfolio/chooser.ts'
import type { AccountVisit } from '../visit.ts'
import { FORMATS, MOST_LINES, readFile } from './read-file.ts'
import { type Import, type Imported, type Problem, stateMovements } from './state-movements.ts'

export const IMPORT = '/account/import'
const SHOWN = 50

interface Deps {
  db: ReadonlyDb
  meter: Pick<Meter, 'admit' | 'chargeWrite'>
  now: () => Date
}

/** Pages that import a file into a manual portfolio: choose, preview, add. Each transaction costs what the API takes. */
export function importPages({ db, meter, now }: Deps) {
  async function manualOf(accountId: string): Promise<Portfolio[]> {
    return (await readPortfolios(db, { accountId })).filter(({ kind }) => kind === 'manual')
  }

  /** What a file says, without what the portfolio has already. */
  async function read(form: Form, accountId: string) {
    const portfolioId = form.text('portfolio')
    const portfolio = (await manualOf(accountId)).find(({ id }) => id === portfolioId)
    if (!portfolio) throw portfolioNotFound(portfolioId)
    const text = form.text('file')
    if (text === '') throw badRequest('Choose a file.')
    const { format, entries } = readFile(text)
    const found = await stateMovements(db, { portfolioId, entries, now: now() })
    const known = await knownTransactions(db, {
      portfolioId,
      ids: found.transactions.map(({ stated }) => stated.id),
    })
    const fresh = found.transactions.filter(({ stated }) => !known.has(stated.id))
    return { portfolio, text, format, found, fresh }
  }

  return {
    choose: async ({ account, csrf, flash, show }: AccountVisit) => {
      const own = await manualOf(account.accountId)
      show({
        title: 'Import transactions',
        body: html`${await flash()}
          ${
            own.length === 0
              ? html`<p><a class="button" href="/account/portfolios">Make a portfolio first</a></p>`
              : html`<form method="post" action="${IMPORT}" enctype="multipart/form-data">
                  ${csrf}<label
                    >Portfolio
                    <select name="portfolio">
                      ${own.map((one) => option(one.id, describePortfolio(one).name, undefined))}
                    </select></label
                  ><label
                    >File, CSV or JSON
                    <input name="file" type="file" accept=".csv,.json,text/csv,application/json" required
                  /></label>
                  <button>Preview</button>
                </form>`
          }
          <p>Nothing is added before you have seen it. Importing a file again adds nothing twice.</p>
          <h2>Which files</h2>
          <ul>
            ${FORMATS.map(({ name, columns }) => html`<li>${name}: <code>${columns.join(', ')}</code></li>`)}
          </ul>
          <p>
            Ghostfolio's JSON file is read too. At most ${count(MOST_LINES)} lines at once. Times without a
            zone are UTC. Write files of your own with the columns of Sluice, and <code>note</code>: a count
            below zero is a sale.
          </p>`,
      })
    },

    preview: async ({ account, form, csrf, show }: AccountVisit) => {
      const { portfolio, text, format, found, fresh } = await read(form, account.accountId)
      const cost = fresh.length * postPortfolioTransaction.credits
      show({
        title: `Import into ${describePortfolio(portfolio).name}`,
        body: html`<p><a href="${IMPORT}">Another file</a></p>
          ${summary(found, { format: format.name, fresh })}
          ${
            fresh.length > 0 &&
            html`<form method="post" action="${IMPORT}/add" enctype="multipart/form-data">
              ${csrf}<input type="hidden" name="portfolio" value="${portfolio.id}" />
              <input type="hidden" name="file" value="${text}" />
              <button>Add ${count(fresh.length)} transactions (${count(cost)} credits)</button>
            </form>`
          }
          ${problems('Lines that are refused', found.refused)} ${transactions(fresh)}
          ${problems('Lines that are no transactions', found.left)}`,
      })
    },

    add: async ({ request, account, form, redirect }: AccountVisit) => {
      const { accountId } = account
      const { fresh, portfolio } = await read(form, accountId)
      if (fresh.length === 0) throw badRequest('The file has no transaction that the portfolio lacks.')
      const route = { ...postPortfolioTransaction, credits: fresh.length * postPortfolioTransaction.credits }
      await chargeCall(meter, { request, accountId, route }, async () => {
        const rows = await priceStated(
          db,
          fresh.map(({ stated }) => stated),
        )
        return {
          body: null,
          asOf: null,
          writes: rows.map((row) => ({ kind: 'add', portfolioId: portfolio.id, ...row }) as const),
          commands: [recomputePortfolio(portfolio.id)],
        }
      })
      const message = `${count(fresh.length)} transactions are added. Their figures are computed now.`
      await redirect(`/account/transactions?portfolio=${portfolio.id}`, { message })
    },
  }
}

function summary(
  { transactions, refused, left }: Import,
  { format, fresh }: { format: string; fresh: readonly Imported[] },
): Html {
  const known = transactions.length - fresh.length
  return html`<dl>
    <dt>File</dt>
    <dd>${format}</dd>
    <dt>To add</dt>
    <dd>${count(fresh.length)}</dd>
    <dt>There already</dt>
    <dd>${count(known)}</dd>
    <dt>Refused lines</dt>
    <dd>${count(refused.length)}</dd>
    <dt>No transactions</dt>
    <dd>${count(left.length)}</dd>
  </dl>`
}

function problems(title: string, rows: readonly Problem[]): Html | false {
  if (rows.length === 0) return false
  return html`<h2>${title}</h2>
    ${rows.length > SHOWN && html`<p class="soft">The first ${SHOWN} of ${count(rows.length)}.</p>`}
    ${table({ label: title, columns: ['Line', 'Why'], numbers: [], rows: rows.slice(0, SHOWN).map(({ line, reason }) => [String(line), reason]) })}`
}

const COLUMNS = ['Line', 'Time, UTC', 'Coin', 'Amount', 'Price of one', 'Note']

function transactions(rows: readonly Imported[]): Html | false {
  if (rows.length === 0) return false
  return html`<h2>Transactions to add</h2>
    ${rows.length > SHOWN && html`<p class="soft">The first ${SHOWN} of ${count(rows.length)}.</p>`}
    ${table({
      label: 'Transactions to add',
      columns: COLUMNS,
      numbers: ['Amount', 'Price of one'],
      rows: rows
        .slice(0, SHOWN)
        .map(({ line, coin, stated }) => [
          String(line),
          minute(stated.at),
          `${coin.name} (${coin.symbol.toUpperCase()})`,
          stated.count,
          stated.price === null ? 'of the market' : `${stated.price} ${stated.currency}`,
          stated.note,
        ]),
    })}`
}

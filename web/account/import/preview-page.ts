import { describePortfolio } from '../../../api/portfolios/describe-portfolio.ts'
import { postPortfolioTransaction } from '../../../api/portfolios/post-transaction.ts'
import { count, counted, minute } from '../../parts/format.ts'
import { html, type Html } from '../../parts/html.ts'
import { table } from '../../parts/table.ts'
import type { ListName } from './lists.ts'
import type { Seen } from './see-upload.ts'
import type { Imported, Problem } from './state-movements.ts'

export const IMPORT = '/account/import'
/** Lines of a list on the page. The whole list is a file. */
const SHOWN = 50

export const transactionCount = ({ length }: Seen['toAdd']): string => counted(length, 'transaction')

export const creditsFor = ({ toAdd }: Seen): number => toAdd.length * postPortfolioTransaction.credits

/** What an uploaded file will add, what it will not and why. `changes`: since the preview that was confirmed. */
export function previewPage(
  seen: Seen,
  { csrf, changes }: { csrf: Html; changes?: readonly Problem[] },
): { title: string; body: Html } {
  const { portfolio, uploadId, isAnyway, rows, toAdd, repeats, refused, left } = seen
  const path = `${IMPORT}/${uploadId}`
  const fileOf = (name: ListName) => `${path}/${name}${isAnyway ? '?anyway=true' : ''}`
  return {
    title: `Import into ${describePortfolio(portfolio).name}`,
    body: html`${changes && changed(changes)}
      <p><a href="${IMPORT}">Another file</a></p>
      ${summary(seen)}
      ${
        toAdd.length > 0 &&
        html`<form method="post" action="${path}/add">
          ${csrf}<input type="hidden" name="rows" value="${rows}" />
          ${isAnyway && html`<input type="hidden" name="anyway" value="true" />`}
          <button>Add ${transactionCount(toAdd)} (${counted(creditsFor(seen), 'credit')})</button>
        </form>`
      }
      ${problems('Lines that are refused', refused, fileOf('refused.csv'))}
      ${transactions('Transactions to add', toAdd, fileOf('to-add.csv'))}
      ${transactions(
        'Transactions that are there already',
        repeats,
        fileOf('repeats.csv'),
        html`<p>
          ${
            isAnyway
              ? html`They are added a second time. <a href="${path}">Leave them out</a>`
              : html`They are left out: the portfolio has as many of the same time, coin and amount.
                  <a href="${path}?anyway=true">Add them anyway</a>`
          }
        </p>`,
      )}
      ${problems('Lines that are no transactions', left, fileOf('left-out.csv'))}`,
  }
}

function changed(changes: readonly Problem[]): Html {
  return html`<div class="panel problem" role="alert">
    <p>
      Nothing was added, because this has changed since you saw it. Look again, and confirm what is shown now.
    </p>
    ${changes.length > 0 && problemTable('What has changed', changes)}
  </div>`
}

function summary({ format, toAdd, repeats, refused, left }: Seen): Html {
  return html`<dl>
    <dt>File</dt>
    <dd>${format}</dd>
    <dt>To add</dt>
    <dd>${count(toAdd.length)}</dd>
    <dt>There already</dt>
    <dd>${count(repeats.length)}</dd>
    <dt>Refused lines</dt>
    <dd>${count(refused.length)}</dd>
    <dt>No transactions</dt>
    <dd>${count(left.length)}</dd>
  </dl>`
}

/** Says how much of a list is shown, and where all of it is. */
const extent = (rows: readonly unknown[], file: string): Html =>
  html`<p class="soft">
    ${rows.length > SHOWN && html`The first ${SHOWN} of ${count(rows.length)}.`}
    <a href="${file}">All ${count(rows.length)} as CSV</a>
  </p>`

function problems(title: string, rows: readonly Problem[], file: string): Html | false {
  if (rows.length === 0) return false
  return html`<h2>${title}</h2>
    ${extent(rows, file)} ${problemTable(title, rows)}`
}

const problemTable = (label: string, rows: readonly Problem[]): Html =>
  table({
    label,
    columns: ['Line', 'Why'],
    rows: rows.slice(0, SHOWN).map(({ line, reason }) => [String(line), reason]),
  })

const COLUMNS = ['Line', 'Time, UTC', 'Coin', 'Amount', 'Price of one', 'Note']

function transactions(title: string, rows: readonly Imported[], file: string, about?: Html): Html | false {
  if (rows.length === 0) return false
  return html`<h2>${title}</h2>
    ${about} ${extent(rows, file)}
    ${table({
      label: title,
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

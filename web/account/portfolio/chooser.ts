import { describePortfolio } from '../../../api/portfolios/describe-portfolio.ts'
import { readCoinRates, readFiatRates } from '../../../db/prices/read-prices.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import type { Portfolio } from '../../../db/portfolios/read-portfolios.ts'
import { RANGES } from '../../../db/values/periods.ts'
import { html, type Html } from '../../parts/html.ts'
import { type Asked, linkTo, type PageName, PAGES } from './asked.ts'

/** The form that chooses portfolio, currency and what `fields` add. It needs no script. */
export async function chooser(
  db: ReadonlyDb,
  { page, all, asked, fields }: { page: PageName; all: readonly Portfolio[]; asked: Asked; fields?: Html },
): Promise<Html> {
  const currencies = await currencyCodes(db)
  return html`<form class="filters" method="get" action="${asked.base}${PAGES[page]}">
    <label
      >Portfolio
      <select name="portfolio">
        <option value="">All portfolios together</option>
        ${all.map((one) => option(one.id, describePortfolio(one).name, asked.portfolio))}
      </select></label
    ><label
      >Currency
      <select name="currency">
        ${currencies.map((currency) => option(currency, currency, asked.currency))}
      </select></label
    >${fields}<input type="hidden" name="range" value="${asked.range}" /><button class="plain">Show</button>
  </form>`
}

/** Codes of the currencies that have rates. */
export async function currencyCodes(db: ReadonlyDb): Promise<string[]> {
  const rates = [...(await readCoinRates(db)), ...(await readFiatRates(db))]
  return ['USD', ...rates.map(({ currency }) => currency)]
}

export const option = (value: string, name: string, chosen: string | undefined): Html =>
  html`<option value="${value}" ${value === chosen && html`selected`}>${name}</option>`

/** Links to the overview of another range. */
export const rangeLinks = (asked: Asked): Html =>
  html`<nav class="row" aria-label="Range">
    ${RANGES.map(
      (range) =>
        html`<a
          class="choice"
          href="${linkTo('overview', asked, { range })}"
          ${range === asked.range && html`aria-current="true"`}
          >${range === 'all' ? 'All' : range}</a
        >`,
    )}
  </nav>`

/** Says which wallets and exchange accounts are not read and why: their figures stand still. */
export function problemNote(problems: ReadonlyMap<string, string>, all: readonly Portfolio[]): Html | false {
  const known = all.filter(({ id }) => problems.has(id))
  if (known.length === 0) return false
  const has = (kind: Portfolio['kind']) => known.some((one) => one.kind === kind)
  return html`<div class="panel problem" role="status">
    ${known.map((one) => html`<p>${describePortfolio(one).name} is not read: ${problems.get(one.id)}.</p>`)}
    ${has('wallet') && html`<p>Wallets are tried again without you.</p>`}
    ${has('exchange') && html`<p><a href="/account/connections/exchange">Connect the exchange account again</a></p>`}
  </div>`
}

/** Says which portfolios are not complete, so that no figure looks final that is not. */
export function pendingNote(pending: readonly string[], all: readonly Portfolio[]): Html | false {
  if (pending.length === 0) return false
  const names = all.filter(({ id }) => pending.includes(id)).map((one) => describePortfolio(one).name)
  return html`<p class="panel notice" role="status">
    Still being read or computed: ${names.join(', ')}. Figures change until that is done. See
    <a href="/account/connections">Connections</a>.
  </p>`
}

import type { z } from 'zod'
import { ApiError } from '../../../api/errors.ts'
import { enumParam, integerParam } from '../../../api/params.ts'
import { describePortfolio } from '../../../api/portfolios/describe-portfolio.ts'
import { pendingOf } from '../../../api/portfolios/holding-set.ts'
import { readReport, requireCountry } from '../../../api/portfolios/read-report.ts'
import type { SelectedPortfolios } from '../../../api/portfolios/select-portfolios.ts'
import { type CoinDescription, describeCoins } from '../../../db/pnl/lots/read-coins.ts'
import { COUNTRIES, COUNTRY_IDS, type Country } from '../../../db/pnl/tax/countries.ts'
import { type TaxReport, TERMS } from '../../../db/pnl/tax/tax-report.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import { type Decimal, formatDecimal, toNumber } from '../../../db/values/decimal.ts'
import { day, minute, type Money, moneyIn } from '../../parts/format.ts'
import { html, type Html } from '../../parts/html.ts'
import { table } from '../../parts/table.ts'
import { type Asked, askedShape, readQuery, selectOwn, type PortfolioVisit } from './asked.ts'
import { chooser, option, pendingNote } from './chooser.ts'

const shape = {
  ...askedShape,
  year: integerParam({ minimum: 2009, maximum: 9998, description: 'Calendar year in UTC' }).optional(),
  country: enumParam(COUNTRY_IDS, 'Country whose rules apply').default('generic'),
}
type Query = z.output<z.ZodObject<typeof shape>> & Pick<Asked, 'base'>

/** The tax report of a year, to print. It costs no credits. */
export function reportPage({ db, now }: { db: ReadonlyDb; now: () => Date }) {
  return async ({ request, account: { accountId }, flash, show }: PortfolioVisit): Promise<void> => {
    const asked = readQuery(request, shape)
    // Reports are made after the end of the year.
    const year = asked.year ?? now().getUTCFullYear() - 1
    const { all, selected } = await selectOwn(db, { accountId, portfolio: asked.portfolio })
    const found = await reportOrReason(db, { asked, year, selected })
    show({
      title: `Tax report ${year}`,
      compressed: true,
      body: html`${await flash()}
      ${await chooser(db, { page: 'report', all, asked, fields: fields(asked, year) })}
      ${pendingNote(pendingOf(selected), all)}
      ${
        typeof found === 'string'
          ? html`<p class="panel problem" role="status">There is no report: ${found}</p>`
          : reportOf(found, {
              names: await describeCoins(db, coinsOf(found)),
              of:
                asked.portfolio === undefined
                  ? 'all portfolios together'
                  : describePortfolio(all.find(({ id }) => id === asked.portfolio)!).name,
              madeAt: now(),
            })
      }`,
    })
  }
}

/** The report, or why there is none. */
async function reportOrReason(
  db: ReadonlyDb,
  { asked, year, selected }: { asked: Query; year: number; selected: SelectedPortfolios },
): Promise<TaxReport | string> {
  const { country, currency } = asked
  try {
    requireCountry(country)
    return await readReport(db, { selected, year, country, currency })
  } catch (error) {
    if (error instanceof ApiError && error.statusCode < 500) return error.message
    throw error
  }
}

const fields = ({ country }: Query, year: number): Html =>
  html`<label>Year <input type="number" name="year" min="2009" max="9998" required value="${year}" /></label
    ><label
      >Rules of
      <select name="country">
        ${COUNTRY_IDS.filter((id) => (COUNTRIES[id] as Country).unsupported === undefined).map((id) => option(id, COUNTRIES[id].name, country))}
      </select></label
    >`

const coinsOf = ({ disposals, income }: TaxReport): string[] => [
  ...new Set([...disposals, ...income].map(({ coinId }) => coinId)),
]

interface Printed {
  names: ReadonlyMap<string, CoinDescription>
  /** whose report it is */
  of: string
  madeAt: Date
}

function reportOf(report: TaxReport, { names, of, madeAt }: Printed): Html {
  const { year, country, currency, method, disposals, income, incomeInGains, warnings, notes } = report
  const money = moneyIn(currency)
  const coin = (coinId: string) => names.get(coinId)?.symbol ?? coinId
  return html`<p>
      Disposals and income of ${year} of ${of}, by ${method}, in ${currency}. Rules:
      ${COUNTRIES[country].name}.
      <span class="small">Made on ${minute(madeAt)}.</span>
    </p>
    <h2>Totals</h2>
    ${totalsTable(report, money)}
    <p>
      Income: ${worth(money, report.incomeTotal)} in ${income.length}
      ${income.length === 1 ? 'receipt' : 'receipts'}.
      ${incomeInGains !== null && html`The gains have ${worth(money, incomeInGains)} of income again.`}
    </p>
    ${
      warnings.length > 0 &&
      html`<h2>Check these</h2>
        ${listOf(warnings)}`
    }
    <h2>Notes</h2>
    ${listOf(notes)}
    ${
      disposals.length > 0 &&
      html`<h2>Disposals</h2>
        ${disposalsTable(report, { money, coin })}`
    }
    ${
      income.length > 0 &&
      html`<h2>Income</h2>
        ${incomeTable(report, { money, coin })}`
    }`
}

const listOf = (items: readonly string[]): Html =>
  html`<ul>
    ${items.map((item) => html`<li>${item}</li>`)}
  </ul>`

const worth = (money: Money, value: Decimal): string => money.worth(toNumber(value))

const TERM_NAMES = { short: 'Short-term', long: 'Long-term', unknown: 'Unknown', all: 'All' } as const
const SUMS = ['Proceeds', 'Cost', 'Gain']

const totalsTable = ({ totals }: TaxReport, money: Money): Html =>
  table({
    label: 'Totals',
    columns: ['Term', 'Disposals', ...SUMS],
    numbers: ['Disposals', ...SUMS],
    rows: ([...TERMS, 'all'] as const).map((term) => {
      const { disposals, proceeds, cost, gain } = totals[term]
      return [
        TERM_NAMES[term],
        disposals,
        worth(money, proceeds),
        worth(money, cost),
        money.change(toNumber(gain)),
      ]
    }),
  })

interface Shown {
  money: Money
  coin: (coinId: string) => string
}

const disposalsTable = ({ disposals }: TaxReport, { money, coin }: Shown): Html =>
  html`<div class="wide">
    ${table({
      label: 'Disposals',
      columns: ['Disposed', 'Coin', 'Quantity', 'Acquired', 'Term', 'What', ...SUMS, 'Note'],
      numbers: ['Quantity', ...SUMS],
      rows: disposals.map((one) => [
        day(one.disposedAt),
        coin(one.coinId),
        formatDecimal(one.quantity),
        one.acquiredAt ? day(one.acquiredAt) : 'unknown',
        TERM_NAMES[one.term],
        REASONS[one.reason] ?? one.reason,
        worth(money, one.proceeds),
        worth(money, one.cost),
        money.change(toNumber(one.gain)),
        [
          one.uncovered && 'Never acquired.',
          one.isOwnTransfer && 'To another portfolio of yours.',
          one.incomeWorth && `Was income of ${worth(money, one.incomeWorth)}.`,
        ]
          .filter(Boolean)
          .join(' '),
      ]),
    })}
  </div>`

const REASONS: Readonly<Record<string, string>> = {
  trade: 'Trade',
  send: 'Sent',
  tradefee: 'Fee of a trade',
  fee: 'Fee',
  loss: 'Loss',
}

const incomeTable = ({ income }: TaxReport, { money, coin }: Shown): Html =>
  table({
    label: 'Income',
    columns: ['Received', 'Coin', 'What', 'Quantity', 'Worth then'],
    numbers: ['Quantity', 'Worth then'],
    rows: income.map((one) => [
      day(one.acquiredAt),
      coin(one.coinId),
      one.role,
      formatDecimal(one.quantity),
      worth(money, one.worth),
    ]),
  })

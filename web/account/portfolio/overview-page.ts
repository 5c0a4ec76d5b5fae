import { describePortfolio } from '../../../api/portfolios/describe-portfolio.ts'
import { booleanParam } from '../../../api/params.ts'
import type { PlPeriod } from '../../../db/pnl/periods/read-periods.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import { readConnectionProblems } from '../../../db/portfolios/read-problems.ts'
import type { Interval } from '../../../db/values/periods.ts'
import { minute, moneyIn } from '../../parts/format.ts'
import { html } from '../../parts/html.ts'
import { TIME_CHART_SCRIPT } from '../../parts/time-chart.ts'
import { type Asked, askedShape, linkTo, readQuery, selectOwn, type PortfolioVisit } from './asked.ts'
import { chooser, pendingNote, problemNote, rangeLinks } from './chooser.ts'
import { coinsTable } from './coins-table.ts'
import { figureTiles } from './figure-tiles.ts'
import { readOverview } from './read-overview.ts'
import { valueChart } from './value-chart.ts'

const NOTHING = html`<p>Connect what you own, and this page shows what it is worth and what you gained.</p>
  <p class="row">
    <a class="button" href="/account/connections/wallet">Connect a wallet</a>
    <a class="button" href="/account/connections/exchange">Connect an exchange account</a>
    <a class="button" href="/account/portfolios">Make a portfolio by hand</a>
  </p>`

const OWN_LINKS = html`<a href="/account/portfolios">Names, cost methods, removal</a>
  <a href="/account/connections">Connections</a>
  <a href="/account/shares">Share a portfolio</a>`

/** The first page after sign-in: value, profit, chart and coins of the own portfolios. It costs no credits. */
export function overviewPage({ db, now }: { db: ReadonlyDb; now: () => Date }) {
  return async ({ request, account: { accountId }, flash, show }: PortfolioVisit): Promise<void> => {
    const asked = readQuery(request, { ...askedShape, all: booleanParam({ default: false }) })
    const { all, selected } = await selectOwn(db, { accountId, portfolio: asked.portfolio })
    if (all.length === 0) return show({ title: 'Portfolio', body: html`${await flash()}${NOTHING}` })
    const [overview, problems, choice] = await Promise.all([
      readOverview(db, { selected, ...asked, now: now() }),
      asked.base === '/account' && readConnectionProblems(db, { accountId }),
      chooser(db, { page: 'overview', all, asked }),
    ])
    const shown = { asked, money: moneyIn(asked.currency) }
    show({
      title: selected.isWhole ? 'Portfolio' : describePortfolio(selected.portfolios[0]!).name,
      script: TIME_CHART_SCRIPT,
      body: html`${await flash()} ${choice} ${problems && problemNote(problems, all)}
        ${pendingNote(overview.pending, all)} ${figureTiles(overview, shown)}
        <h2 id="chart">Value and deposits</h2>
        ${rangeLinks(asked)}
        ${valueChart(overview.periods, { ...shown, currency: asked.currency, linkOf: explaining(asked, overview.interval) })}
        <h2 id="coins">Coins</h2>
        ${coinsTable(overview.coins, { ...shown, isAll: asked.all })}
        <p class="row">
          <a class="button" href="${linkTo('transactions', asked)}">Transactions</a>
          <a class="button" href="${linkTo('positions', asked)}">DeFi and NFTs</a>
          ${asked.base === '/account' && OWN_LINKS}
        </p>
        ${overview.asOf && html`<p class="soft">Data as of ${minute(overview.asOf)}.</p>`}`,
    })
  }
}

const explaining =
  (asked: Asked, interval: Interval) =>
  ({ startMs, endMs }: PlPeriod): string =>
    linkTo('period', asked, { from: instant(startMs), to: instant(endMs), interval })

/** As short as parameters allow: a day stands for its midnight. */
const instant = (atMs: number): string =>
  new Date(atMs).toISOString().replace('.000Z', 'Z').replace('T00:00:00Z', '')

import { describePortfolio } from '../../api/portfolios/describe-portfolio.ts'
import { isSynced } from '../../api/portfolios/sync-status.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { readUnknownKinds, type UnknownKinds } from '../../db/exchanges/read-unknown-kinds.ts'
import { readConnectionProblems } from '../../db/portfolios/read-problems.ts'
import { type PortfolioGap, readPortfolioGaps } from '../../db/portfolios/read-gaps.ts'
import { type Portfolio, readPortfolios } from '../../db/portfolios/read-portfolios.ts'
import { minute } from '../parts/format.ts'
import { html, type Html } from '../parts/html.ts'
import type { AccountVisit } from './visit.ts'

const KINDS = [
  ['wallet', 'Wallets'],
  ['exchange', 'Exchanges'],
  ['manual', 'Manual'],
] as const

/** Lists the portfolios of the account and their sync state. */
export function connectionsPage({ db }: { db: ReadonlyDb }) {
  return async ({ account, flash, show }: AccountVisit): Promise<void> => {
    const portfolios = await readPortfolios(db, account)
    const problems = await readConnectionProblems(db, account)
    const unknown = await readUnknownKinds(db, account)
    const gaps = await readPortfolioGaps(db, account)
    const sections = KINDS.map(([kind, title]) => {
      const own = portfolios.filter((portfolio) => portfolio.kind === kind)
      return (
        own.length > 0 &&
        html`<h2>${title}</h2>
          ${own.map((one) => panel(one, { problem: problems.get(one.id), gap: gaps.get(one.id), unknown: unknown.get(one.id) ?? [] }))}`
      )
    })
    show({
      title: 'Connections',
      body: html`${await flash()}
        <p class="row">
          <a class="button" href="/account/connections/wallet">Connect a wallet</a>
          <a class="button" href="/account/connections/exchange">Connect an exchange account</a>
        </p>
        ${sections}${portfolios.length === 0 && html`<p class="soft">Nothing is connected.</p>`}
        <p>
          Programs connect with <code>POST /v1/portfolio/wallet</code> and
          <code>POST /v1/portfolio/exchange</code>: see the <a href="/v1/docs">reference</a>.
        </p>`,
    })
  }
}

/** `problem`: why it is not read. `gap`: what no source gives. `unknown`: kinds of its entries that have no meaning here. */
function panel(
  portfolio: Portfolio,
  {
    problem,
    gap,
    unknown,
  }: { problem: string | undefined; gap: PortfolioGap | undefined; unknown: UnknownKinds },
): Html {
  const { id, kind, asOf, message } = portfolio
  const why = problem ?? message
  return html`<section class="panel">
    <h3>${describePortfolio(portfolio).name}</h3>
    <dl>
      <dt>State</dt>
      <dd>${problem !== undefined ? 'not read' : isSynced(portfolio) ? 'synced' : 'syncing'}</dd>
      ${
        why &&
        html`<dt>Why</dt>
          <dd>${why}</dd>`
      }
      ${
        kind !== 'manual' &&
        html`<dt>Data as of</dt>
          <dd>${asOf ? minute(asOf) : 'none yet'}</dd>`
      }
      ${
        gap &&
        html`<dt>Missing history</dt>
          <dd>
            ${gap.until ? `Transactions up to ${minute(gap.until)} are incomplete` : 'Old transactions are incomplete'}:
            ${gap.reason}. The balance is complete; cost and profit lack what is missing.
          </dd>`
      }
      ${
        unknown.length > 0 &&
        html`<dt>Unknown entries</dt>
          <dd>
            ${unknown.map(({ name, entries }) => `${name} (${entries})`).join(', ')}: they count in the
            balance, and as no profit. The operator can say what they are.
          </dd>`
      }
      ${
        kind === 'wallet' &&
        html`<dt>Address</dt>
          <dd><code>${portfolio.address}</code></dd>
          <dt>Network</dt>
          <dd>${portfolio.networkName}</dd>`
      }
      <dt>portfolioId</dt>
      <dd><code>${id}</code></dd>
    </dl>
    <p><a href="/account/portfolios/${id}">Name, cost method, removal</a></p>
  </section>`
}

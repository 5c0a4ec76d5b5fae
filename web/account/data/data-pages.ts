import type pg from 'pg'
import { badRequest } from '../../../api/errors.ts'
import { describePortfolio } from '../../../api/portfolios/describe-portfolio.ts'
import { closeAccount } from '../../../db/account/close-account.ts'
import { listKeys } from '../../../db/account/keys.ts'
import { listKits } from '../../../db/account/kits.ts'
import { readUsage } from '../../../db/account/read-account.ts'
import { listShares } from '../../../db/account/shares.ts'
import { countAlerts, readAlerts } from '../../../db/events/read-alerts.ts'
import { readWebhooks } from '../../../db/events/read-webhooks.ts'
import { readPortfolios } from '../../../db/portfolios/read-portfolios.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import { html } from '../../parts/html.ts'
import type { AccountVisit } from '../visit.ts'
import { statedLines, transactionLines } from './own-transactions.ts'

export const DATA = '/account/data'

interface Deps {
  db: ReadonlyDb
  /** Connects as role `account`. */
  pool: pg.Pool
  now: () => Date
}

/** Pages with which owners take their data along, and close the account. They cost no credits. */
export function dataPages({ db, pool, now }: Deps) {
  return {
    show: async ({ account: { name }, csrf, flash, show }: AccountVisit) => {
      show({
        title: 'Your data',
        body: html`${await flash()}
          <ul>
            <li>
              <a href="${DATA}/transactions.csv">All transactions</a>: what moved in each, by coin, with its
              worth in USD
            </li>
            <li>
              <a href="/account/report">Tax report</a> of a year, to print: disposals by lot, and income
            </li>
            <li>
              <a href="${DATA}/by-hand.csv">Transactions by hand</a>, exactly as you stated them:
              <a href="/account/import">Import</a> reads this file
            </li>
            <li>
              <a href="${DATA}/account.json">The account</a>: portfolios, keys, webhooks, alerts, share links,
              connect kits and usage, without secrets
            </li>
          </ul>
          <h2>Close the account</h2>
          <p>
            Sign-in, share links and connect kits end with the next request. Keys work for up to 5 seconds
            more, and a webhook that is being sent still arrives. Exchange credentials are deleted with the
            account, and portfolios and everything read with them in the minutes after. Earlier versions of
            figures, which answers of the past need, are forgotten after the days that the operator keeps
            them. Charges and usage stay for accounting, without your name. This cannot be undone.
          </p>
          <form method="post" action="${DATA}/close">
            ${csrf}<label
              >Type the name of the account, ${name} <input name="name" required autocomplete="off"
            /></label>
            <button class="bad">Close the account for good</button>
          </form>`,
      })
    },

    transactions: async ({ account, download }: AccountVisit) => {
      const portfolios = await readPortfolios(db, account)
      download({
        name: 'transactions.csv',
        type: 'text/csv; charset=utf-8',
        text: transactionLines(db, { portfolios, now: now() }),
      })
    },

    stated: async ({ account, download }: AccountVisit) => {
      const portfolios = (await readPortfolios(db, account)).filter(({ kind }) => kind === 'manual')
      download({
        name: 'by-hand.csv',
        type: 'text/csv; charset=utf-8',
        text: statedLines(db, { portfolios }),
      })
    },

    account: async ({ account, download }: AccountVisit) => {
      const { accountId, name } = account
      const portfolios = await readPortfolios(db, account)
      const content = {
        name,
        exportedAt: now(),
        portfolios: portfolios.map((one) => ({
          id: one.id,
          name: describePortfolio(one).name,
          kind: one.kind,
          costMethod: one.costMethod,
          ...(one.kind === 'wallet' && { address: one.address, network: one.networkId }),
          ...(one.kind === 'exchange' && { exchange: one.venue }),
        })),
        keys: await listKeys(pool, accountId),
        shares: await listShares(pool, accountId),
        connectKits: await listKits(pool, accountId),
        webhooks: await readWebhooks(db, { accountId }),
        alerts: await readAlerts(db, { accountId, offset: 0, limit: await countAlerts(db, accountId) }),
        usage: await readUsage(pool, { accountId, since: '1970-01-01' }),
      }
      download({
        name: 'account.json',
        type: 'application/json; charset=utf-8',
        text: [JSON.stringify(content, null, 2)],
      })
    },

    close: async ({ account: { accountId, name }, form, signOut }: AccountVisit) => {
      if (form.text('name') !== name)
        throw badRequest('The name is not that of the account. Nothing was closed.')
      await closeAccount(pool, accountId)
      await signOut('/account')
    },
  }
}

import { badRequest, portfolioNotFound } from '../../../api/errors.ts'
import { deletePortfolio } from '../../../api/portfolios/delete-portfolio.ts'
import { describePortfolio } from '../../../api/portfolios/describe-portfolio.ts'
import type { Meter } from '../../../db/metering/meter.ts'
import { COST_METHODS, type CostMethod } from '../../../db/pnl/lots/lot-pool.ts'
import { refreshAccount, removePortfolio } from '../../../db/portfolios/commands.ts'
import { type Portfolio, readPortfolios } from '../../../db/portfolios/read-portfolios.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import { uuidV7 } from '../../../db/values/uuid-v7.ts'
import type { Form } from '../../parts/form.ts'
import { html } from '../../parts/html.ts'
import { chargeCall } from '../charge-call.ts'
import { option } from '../portfolio/chooser.ts'
import type { AccountVisit } from '../visit.ts'
import { TRANSACTION } from './transaction-pages.ts'
import { counted } from '../../parts/format.ts'

export const PORTFOLIOS = '/account/portfolios'
const LONGEST_NAME = 100

const METHODS: Record<CostMethod, string> = {
  fifo: 'First in, first out (FIFO)',
  lifo: 'Last in, first out (LIFO)',
  hifo: 'Highest cost first (HIFO)',
  average: 'Average cost',
}

/** What these pages do is no call of the API and costs nothing. */
const FREE = { method: 'POST', path: PORTFOLIOS, credits: 0 } as const

interface Deps {
  db: ReadonlyDb
  meter: Pick<Meter, 'admit' | 'chargeWrite'>
  now: () => Date
}

/** Pages to make, name and remove portfolios and to choose their cost method. */
export function settingsPages({ db, meter, now }: Deps) {
  async function ownOne({ request, account }: AccountVisit): Promise<Portfolio> {
    const { id } = request.params as { id: string }
    const found = (await readPortfolios(db, account)).find((one) => one.id === id)
    if (!found) throw portfolioNotFound(id)
    return found
  }

  return {
    list: async ({ account, csrf, flash, show }: AccountVisit) => {
      const portfolios = await readPortfolios(db, account)
      show({
        title: 'Portfolios',
        body: html`${await flash()}
          <p>
            Wallets and exchange accounts that you connect are portfolios. Make one by hand for everything
            else.
          </p>
          <ul>
            ${portfolios.map((one) => html`<li><a href="${PORTFOLIOS}/${one.id}">${describePortfolio(one).name}</a>, ${METHODS[one.costMethod]}</li>`)}
          </ul>
          <h2>New portfolio</h2>
          <form method="post" action="${PORTFOLIOS}">
            ${csrf}<label>Name <input name="name" required maxlength="${LONGEST_NAME}" /></label>
            <button>Make a portfolio</button>
          </form>`,
      })
    },

    create: async ({ request, account, form, redirect }: AccountVisit) => {
      const id = uuidV7(now().getTime())
      const name = nameIn(form)
      await chargeCall(meter, { request, ...account, route: FREE }, async () => ({
        body: null,
        asOf: null,
        writes: [{ kind: 'open', id, name }],
        commands: [refreshAccount(account.accountId)],
      }))
      await redirect(`${TRANSACTION}?portfolio=${id}`, {
        message: `${name} is made. Add its first transaction.`,
      })
    },

    edit: async (visit: AccountVisit) => {
      const { csrf, flash, show } = visit
      const portfolio = await ownOne(visit)
      const { id, kind, costMethod } = portfolio
      const { name } = describePortfolio(portfolio)
      show({
        title: name,
        body: html`${await flash()}
          <p><a href="${PORTFOLIOS}">All portfolios</a></p>
          ${
            kind === 'manual' &&
            html`<p class="row">
              <a class="button" href="${TRANSACTION}?portfolio=${id}">Add a transaction</a>
            </p>`
          }
          <form method="post" action="${PORTFOLIOS}/${id}">
            ${csrf}<label
              >Name <input name="name" value="${name}" required maxlength="${LONGEST_NAME}"
            /></label>
            <label
              >Cost of what is sold
              <select name="method">
                ${COST_METHODS.map((method) => option(method, METHODS[method], costMethod))}
              </select></label
            >
            <p class="soft">
              Another method changes realised and unrealised profit of the whole history, never their sum.
            </p>
            <button>Save</button>
          </form>
          <h2>Remove</h2>
          <p>
            ${kind === 'manual' ? 'Its transactions are deleted.' : 'It is disconnected, and what was read with its credentials is deleted.'}
            Its share links stop working. This cannot be undone.
          </p>
          <form method="post" action="${PORTFOLIOS}/${id}/remove">
            ${csrf}<label class="check"
              ><input type="checkbox" name="sure" required /> Remove ${name} for good</label
            >
            <p><button class="bad">Remove (${counted(deletePortfolio.credits, 'credit')})</button></p>
          </form>`,
      })
    },

    change: async (visit: AccountVisit) => {
      const { request, account, form, redirect } = visit
      const { id, costMethod } = await ownOne(visit)
      const name = nameIn(form)
      const method = COST_METHODS.find((one) => one === form.text('method'))
      if (!method) throw badRequest('Unknown cost method.')
      const isNew = method !== costMethod
      await chargeCall(meter, { request, ...account, route: FREE }, async () => ({
        body: null,
        asOf: null,
        writes: [
          { kind: 'rename', id, name },
          ...(isNew ? [{ kind: 'cost-method', id, method } as const] : []),
        ],
        commands: isNew ? [refreshAccount(account.accountId)] : [],
      }))
      await redirect(`${PORTFOLIOS}/${id}`, {
        message: isNew ? 'Saved. The figures are computed anew.' : 'Saved.',
      })
    },

    remove: async (visit: AccountVisit) => {
      const { request, account, form, redirect } = visit
      const { accountId } = account
      const portfolio = await ownOne(visit)
      if (!form.checked('sure')) throw badRequest('Tick the box if you want to remove the portfolio.')
      await chargeCall(meter, { request, accountId, route: deletePortfolio }, async () => ({
        body: null,
        asOf: null,
        writes: [{ kind: 'remove', id: portfolio.id }],
        commands: [removePortfolio({ accountId, portfolioId: portfolio.id })],
      }))
      await redirect(PORTFOLIOS, { message: `${describePortfolio(portfolio).name} is removed.` })
    },
  }
}

function nameIn(form: Form): string {
  const name = form.text('name')
  if (name === '' || name.length > LONGEST_NAME || /\p{C}/u.test(name))
    throw badRequest(`Enter a name of 1 to ${LONGEST_NAME} characters.`)
  return name.normalize('NFC')
}

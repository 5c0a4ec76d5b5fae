import { ApiError, portfolioNotFound } from '../../../api/errors.ts'
import { identifierParam } from '../../../api/params.ts'
import { deletePortfolioTransaction } from '../../../api/portfolios/delete-transaction.ts'
import { describePortfolio } from '../../../api/portfolios/describe-portfolio.ts'
import { findTransaction } from '../../../api/portfolios/find-transaction.ts'
import { patchPortfolioTransaction } from '../../../api/portfolios/patch-transaction.ts'
import { postPortfolioTransaction } from '../../../api/portfolios/post-transaction.ts'
import { statedTransaction } from '../../../api/portfolios/stated-transaction.ts'
import type { Meter } from '../../../db/metering/meter.ts'
import { recomputePortfolio } from '../../../db/portfolios/commands.ts'
import { type Portfolio, readPortfolios } from '../../../db/portfolios/read-portfolios.ts'
import { readTopCoins } from '../../../db/prices/read-named-coins.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import { uuidV7 } from '../../../db/values/uuid-v7.ts'
import { html, type Html } from '../../parts/html.ts'
import { chargeCall } from '../charge-call.ts'
import { readQuery } from '../portfolio/asked.ts'
import { currencyCodes, option } from '../portfolio/chooser.ts'
import type { AccountVisit } from '../visit.ts'
import {
  EMPTY,
  fieldsOf,
  fieldsOfStated,
  problemPanel,
  type StatedFields,
  statedBy,
  statedFields,
} from './stated-form.ts'
import { counted } from '../../parts/format.ts'

export const TRANSACTION = '/account/transaction'
const LIST = '/account/transactions'
const SUGGESTED = 50

interface Deps {
  db: ReadonlyDb
  meter: Pick<Meter, 'admit' | 'chargeWrite'>
  now: () => Date
}

/** Pages to add, correct and delete transactions of manual portfolios. They cost what the API takes. */
export function transactionPages({ db, meter, now }: Deps) {
  async function showForm(
    { show, flash, csrf }: AccountVisit,
    form: {
      title: string
      action: string
      fields: StatedFields
      more: Html
      button: string
      problem?: ApiError
    },
  ): Promise<void> {
    const { problem } = form
    const choices = { coins: await readTopCoins(db, SUGGESTED), currencies: await currencyCodes(db), problem }
    show({
      title: form.title,
      status: problem?.statusCode ?? 200,
      body: html`${await flash()} ${problem && problemPanel(problem)}
        <p><a href="${LIST}">All transactions</a></p>
        <form method="post" action="${form.action}">
          ${csrf}${form.more} ${statedFields(form.fields, choices)} <button>${form.button}</button>
        </form>`,
    })
  }

  async function manualOf(accountId: string): Promise<Portfolio[]> {
    return (await readPortfolios(db, { accountId })).filter(({ kind }) => kind === 'manual')
  }

  async function showNew(visit: AccountVisit, fields: StatedFields, chosen?: string, problem?: ApiError) {
    const own = await manualOf(visit.account.accountId)
    if (own.length === 0) return visit.redirect('/account/portfolios', { message: 'Make a portfolio first.' })
    await showForm(visit, {
      title: 'New transaction',
      action: TRANSACTION,
      fields,
      button: `Add (${counted(postPortfolioTransaction.credits, 'credit')})`,
      ...(problem && { problem }),
      more: html`<label
        >Portfolio
        <select name="portfolio">
          ${own.map((one) => option(one.id, describePortfolio(one).name, chosen))}
        </select></label
      >`,
    })
  }

  async function showOne(visit: AccountVisit, id: string, fields: StatedFields, problem?: ApiError) {
    const { csrf } = visit
    await showForm(
      {
        ...visit,
        show: (content) =>
          visit.show({
            ...content,
            body: html`${content.body}
              <h2>Delete</h2>
              <form method="post" action="${TRANSACTION}/${id}/delete">
                ${csrf}<button class="bad">
                  Delete (${counted(deletePortfolioTransaction.credits, 'credit')})
                </button>
              </form>`,
          }),
      },
      {
        title: 'Correct a transaction',
        action: `${TRANSACTION}/${id}`,
        fields,
        more: html``,
        button: `Save (${counted(patchPortfolioTransaction.credits, 'credit')})`,
        ...(problem && { problem }),
      },
    )
  }

  const idOf = ({ request }: AccountVisit) => (request.params as { id: string }).id
  /** Runs an action, and shows the form again with what was typed if the fields were refused. */
  async function orAgain(action: () => Promise<void>, again: (problem: ApiError) => Promise<void>) {
    try {
      await action()
    } catch (error) {
      if (!(error instanceof ApiError) || error.statusCode >= 429) throw error
      await again(error)
    }
  }

  return {
    create: (visit: AccountVisit) => {
      const { portfolio } = readQuery(visit.request, {
        portfolio: identifierParam('Id of a portfolio').optional(),
      })
      return showNew(visit, EMPTY, portfolio)
    },

    add: async (visit: AccountVisit) => {
      const { request, account, form, redirect } = visit
      const fields = fieldsOf(form)
      const portfolioId = form.text('portfolio')
      await orAgain(
        async () => {
          const portfolio = (await manualOf(account.accountId)).find(({ id }) => id === portfolioId)
          if (!portfolio) throw portfolioNotFound(portfolioId)
          const stated = await statedBy({ db, now: now() }, { id: uuidV7(now().getTime()), fields })
          await chargeCall(meter, { request, ...account, route: postPortfolioTransaction }, async () => {
            const { row } = await statedTransaction({ db, now: now() }, { stated, portfolio })
            return {
              body: null,
              asOf: null,
              writes: [{ kind: 'add', portfolioId, ...row }],
              commands: [recomputePortfolio(portfolioId)],
            }
          })
          await redirect(LIST, { message: 'The transaction is added. Its figures are computed now.' })
        },
        (problem) => showNew(visit, fields, portfolioId, problem),
      )
    },

    edit: async (visit: AccountVisit) => {
      const { account } = visit
      const id = idOf(visit)
      const { transaction } = await findTransaction(db, { ...account, id })
      await showOne(visit, id, fieldsOfStated(transaction))
    },

    correct: async (visit: AccountVisit) => {
      const { request, account, form, redirect } = visit
      const fields = fieldsOf(form)
      const id = idOf(visit)
      await orAgain(
        async () => {
          const stated = await statedBy({ db, now: now() }, { id, fields })
          await chargeCall(meter, { request, ...account, route: patchPortfolioTransaction }, async () => {
            const { transaction, portfolio } = await findTransaction(db, { ...account, id })
            const { version, portfolioId } = transaction
            const { row } = await statedTransaction({ db, now: now() }, { stated, portfolio })
            return {
              body: null,
              asOf: null,
              writes: [{ kind: 'correct', portfolioId, version, ...row }],
              commands: [recomputePortfolio(portfolioId)],
            }
          })
          await redirect(LIST, { message: 'The transaction is corrected. Its figures are computed now.' })
        },
        (problem) => showOne(visit, id, fields, problem),
      )
    },

    remove: async (visit: AccountVisit) => {
      const { request, account, redirect } = visit
      const id = idOf(visit)
      await chargeCall(meter, { request, ...account, route: deletePortfolioTransaction }, async () => {
        const { transaction } = await findTransaction(db, { ...account, id })
        const { version, portfolioId } = transaction
        return {
          body: null,
          asOf: null,
          writes: [{ kind: 'delete', id, portfolioId, version }],
          commands: [recomputePortfolio(portfolioId)],
        }
      })
      await redirect(LIST, { message: 'The transaction is deleted.' })
    },
  }
}

import { booleanParam } from '../../../api/params.ts'
import { ApiError, badRequest, portfolioNotFound } from '../../../api/errors.ts'
import { describePortfolio } from '../../../api/portfolios/describe-portfolio.ts'
import { postPortfolioTransaction } from '../../../api/portfolios/post-transaction.ts'
import { priceStated } from '../../../api/portfolios/price-stated.ts'
import { keepUpload } from '../../../db/account/import-uploads.ts'
import type { Meter } from '../../../db/metering/meter.ts'
import { recomputePortfolio } from '../../../db/portfolios/commands.ts'
import { count } from '../../parts/format.ts'
import { html } from '../../parts/html.ts'
import { chargeCall } from '../charge-call.ts'
import { readQuery } from '../portfolio/asked.ts'
import { option } from '../portfolio/chooser.ts'
import type { AccountVisit } from '../visit.ts'
import { type ListName, LISTS } from './lists.ts'
import { creditsFor, IMPORT, previewPage, transactionCount } from './preview-page.ts'
import { FORMATS, MOST_LINES, readFile } from './read-file.ts'
import { changesSince, manualPortfolios, noteSeen, type SeeDeps, type Seen, seeUpload } from './see-upload.ts'

interface Deps extends SeeDeps {
  meter: Pick<Meter, 'admit' | 'chargeWrite'>
}

/** The rows are others than those of the preview that was confirmed. */
class Changed extends Error {
  readonly seen: Seen

  constructor(seen: Seen) {
    super('the rows have changed since their preview')
    this.seen = seen
  }
}

/**
 * Pages that import a file into a manual portfolio: choose, preview, add. The file is kept until then, so that the
 * rows that are added are those that were shown. Each transaction costs what the API takes.
 */
export function importPages(deps: Deps) {
  const { db, pool, meter, now } = deps

  const lookedAt = ({ request, account: { accountId } }: AccountVisit, isAnyway: boolean) => {
    const { id: uploadId } = request.params as { id: string }
    return { accountId, uploadId, isAnyway }
  }
  const isAskedAnyway = ({ request }: AccountVisit): boolean =>
    readQuery(request, { anyway: booleanParam({ default: false }) }).anyway

  /** The form to choose a file. A refused one says why. */
  async function showChoice(
    { account, csrf, flash, show }: AccountVisit,
    refused?: { portfolioId: string; problem: ApiError },
  ): Promise<void> {
    const own = await manualPortfolios(db, account.accountId)
    show({
      title: 'Import transactions',
      status: refused?.problem.statusCode ?? 200,
      body: html`${await flash()}
        ${
          own.length === 0
            ? html`<p><a class="button" href="/account/portfolios">Make a portfolio first</a></p>`
            : html`<form method="post" action="${IMPORT}" enctype="multipart/form-data">
                ${csrf}<label
                  >Portfolio
                  <select name="portfolio">
                    ${own.map((one) => option(one.id, describePortfolio(one).name, refused?.portfolioId))}
                  </select></label
                ><label
                  >File, CSV or JSON
                  <input
                    name="file"
                    type="file"
                    accept=".csv,.json,text/csv,application/json"
                    required
                    ${refused && html` aria-invalid="true" aria-describedby="file-problem"`}
                /></label>
                ${refused && html`<p class="panel problem" role="alert" id="file-problem">${refused.problem.message}</p>`}
                <button>Preview</button>
              </form>`
        }
        <p>
          Nothing is added before you have seen it. The file is kept until you add its transactions, for an
          hour at most. What the portfolio has already is left out.
        </p>
        <h2>Which files</h2>
        <ul>
          ${FORMATS.map(({ name, columns }) => html`<li>${name}: <code>${columns.join(', ')}</code></li>`)}
        </ul>
        <p>
          Ghostfolio's JSON file is read too. At most ${count(MOST_LINES)} lines at once. Times without a zone
          are UTC. Write files of your own with the columns of Sluice, and <code>note</code>: a count below
          zero is a sale.
        </p>`,
    })
  }

  return {
    choose: (visit: AccountVisit) => showChoice(visit),

    upload: async (visit: AccountVisit) => {
      const { form, redirect } = visit
      const { accountId } = visit.account
      const portfolioId = form.text('portfolio')
      // As it is: trimmed, its lines would have other numbers.
      const [text = ''] = form.list('file')
      try {
        if (text.trim() === '') throw badRequest('Choose a file.')
        readFile(text)
      } catch (problem) {
        if (!(problem instanceof ApiError)) throw problem
        return showChoice(visit, { portfolioId, problem })
      }
      const isOwn = (await manualPortfolios(db, accountId)).some(({ id }) => id === portfolioId)
      const uploadId = isOwn ? await keepUpload(pool, { accountId, portfolioId, text, now: now() }) : null
      if (uploadId === null) throw portfolioNotFound(portfolioId)
      await redirect(`${IMPORT}/${uploadId}`, { message: 'Nothing is added yet.' })
    },

    preview: async (visit: AccountVisit) => {
      const { csrf, flash, show } = visit
      const seen = await seeUpload(deps, lookedAt(visit, isAskedAnyway(visit)))
      await noteSeen(pool, seen)
      const { title, body } = previewPage(seen, { csrf })
      show({ title, body: html`${await flash()}${body}` })
    },

    list: (name: ListName) => async (visit: AccountVisit) => {
      const seen = await seeUpload(deps, lookedAt(visit, isAskedAnyway(visit)))
      visit.download({ name, type: 'text/csv; charset=utf-8', text: [LISTS[name](seen)] })
    },

    add: async (visit: AccountVisit) => {
      const { request, account, form, csrf, show, redirect } = visit
      const { accountId } = account
      const looked = lookedAt(visit, form.checked('anyway'))
      const shown = form.text('rows')
      const confirmed = async (): Promise<Seen> => {
        const seen = await seeUpload(deps, looked)
        if (seen.rows !== shown || seen.toAdd.length === 0) throw new Changed(seen)
        return seen
      }
      try {
        const first = await confirmed()
        let unused: Seen | undefined = first
        const route = { ...postPortfolioTransaction, credits: creditsFor(first) }
        await chargeCall(meter, { request, accountId, route }, async () => {
          // After a conflict it is read again.
          const { uploadId, portfolio, toAdd } = unused ?? (await confirmed())
          unused = undefined
          const rows = await priceStated(
            db,
            toAdd.map(({ stated }) => stated),
          )
          return {
            body: null,
            asOf: null,
            writes: [
              { kind: 'use-upload', id: uploadId } as const,
              ...rows.map((row) => ({ kind: 'add', portfolioId: portfolio.id, ...row }) as const),
            ],
            commands: [recomputePortfolio(portfolio.id)],
          }
        })
        const message = `Added ${transactionCount(first.toAdd)}. Figures are computed now.`
        await redirect(`/account/transactions?portfolio=${first.portfolio.id}`, { message })
      } catch (error) {
        if (!(error instanceof Changed)) throw error
        const { seen } = error
        await noteSeen(pool, seen)
        return show({ ...previewPage(seen, { csrf, changes: changesSince(shown, seen) }), status: 409 })
      }
    },
  }
}

import type pg from 'pg'
import { badRequest, forbidden, notFound } from '../../api/errors.ts'
import { describePortfolio } from '../../api/portfolios/describe-portfolio.ts'
import { createShare, listShares, revokeShare, rotateShare } from '../../db/account/shares.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { readPortfolios } from '../../db/portfolios/read-portfolios.ts'
import { isPasscode } from '../../db/values/share-token.ts'
import { isUuid } from '../../db/values/uuid.ts'
import { day } from '../parts/format.ts'
import { html } from '../parts/html.ts'
import type { AccountVisit } from './visit.ts'

const HOME = '/account/shares'

interface SharesDeps {
  pool: pg.Pool
  db: ReadonlyDb
  now: () => Date
  /** Key for hashing passcodes; absent: passcodes cannot be set. */
  pepper?: string
  /** Origin of the links. */
  url: string
}

/** Pages to create, rotate and revoke share links. */
export function sharesPages({ pool, db, now, pepper, url }: SharesDeps) {
  const shareOf = (visit: AccountVisit) => {
    const { id } = visit.request.params as { id: string }
    if (!isUuid(id)) throw notFound()
    return { accountId: visit.account.accountId, shareId: id }
  }
  const showLink = (token: string) => ({
    message: 'Copy the link now. It is shown only once.',
    secret: `${url}/p/${token}`,
  })

  return {
    list: async ({ account, csrf, flash, show }: AccountVisit) => {
      const portfolios = await readPortfolios(db, account)
      const names = new Map(portfolios.map((one) => [one.id, describePortfolio(one).name]))
      const shares = await listShares(pool, account.accountId)
      const form = html`<form method="post" action="${HOME}">
        ${csrf}
        <label
          >Portfolio
          <select name="portfolioId" required>
            ${portfolios.map(({ id }) => html`<option value="${id}">${names.get(id)}</option>`)}
          </select></label
        >
        ${pepper !== undefined && html`<label>Passcode, six digits (empty: none) <input name="passcode" inputmode="numeric" pattern="[0-9]{6}" maxlength="6" autocomplete="off" /></label>`}
        <button>Make a link</button>
      </form>`
      show({
        title: 'Sharing',
        body: html`${await flash()}
          <p>
            Anyone who has a link can view its portfolio. If the link has a passcode, they also need the
            passcode.
          </p>
          ${!account.degen && html`<p class="panel problem">Sharing needs Degen, which is off for your account. Links do not work.</p>`}
          ${shares.map(
            (share) =>
              html`<section class="panel">
                <h2>${names.get(share.portfolioId)}</h2>
                <dl>
                  <dt>Created</dt>
                  <dd>${day(share.createdAt)}</dd>
                  <dt>Passcode</dt>
                  <dd>${share.passcode ? 'yes' : 'no'}${share.locked && ', locked after wrong guesses'}</dd>
                </dl>
                <div class="row">
                  <form method="post" action="${HOME}/${share.id}/rotate">
                    ${csrf}<button class="plain">New link</button>
                  </form>
                  <form method="post" action="${HOME}/${share.id}/revoke">
                    ${csrf}<button class="bad">Revoke</button>
                  </form>
                </div>
              </section>`,
          )}
          <h2>New link</h2>
          ${portfolios.length === 0 ? html`<p class="soft">There is no portfolio to share.</p>` : account.degen && form}`,
      })
    },

    create: async ({ account, form, redirect }: AccountVisit) => {
      const [portfolioId, digits] = [form.text('portfolioId'), form.text('passcode')]
      if (!account.degen) throw forbidden()
      if (digits !== '' && !isPasscode(digits)) throw badRequest('A passcode must have six digits.')
      if (digits !== '' && pepper === undefined)
        throw badRequest('This installation does not support passcodes.')
      if (!isUuid(portfolioId)) throw notFound()
      const token = await createShare(pool, {
        accountId: account.accountId,
        portfolioId,
        now: now(),
        passcode: digits === '' || pepper === undefined ? null : { digits, pepper },
      })
      if (token === null) throw notFound()
      await redirect(HOME, showLink(token))
    },

    rotate: async (visit: AccountVisit) => {
      const token = await rotateShare(pool, shareOf(visit))
      if (token === null) throw notFound()
      const { message, secret } = showLink(token)
      await visit.redirect(HOME, { message: `${message} The previous link no longer works.`, secret })
    },

    revoke: async (visit: AccountVisit) => {
      if (!(await revokeShare(pool, shareOf(visit)))) throw notFound()
      await visit.redirect(HOME, { message: 'The link is revoked and no longer works.' })
    },
  }
}

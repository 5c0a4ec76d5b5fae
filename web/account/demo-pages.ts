import type { FastifyInstance } from 'fastify'
import type { ReadonlyDb } from '../../db/schema.ts'
import type { Meter } from '../../db/metering/meter.ts'
import { atMost } from '../parts/at-most.ts'
import { html } from '../parts/html.ts'
import { sendPage } from '../parts/send-page.ts'
import { addPortfolioPages } from './portfolio/portfolio-pages.ts'

const DEMO = '/demo'

const MAX_CONCURRENT = 4

const HEADER = html`<header>
  <nav aria-label="Demo">
    <a href="${DEMO}">Portfolio</a><a href="${DEMO}/transactions">Transactions</a
    ><a href="/account/sign-in">Sign in</a>
  </nav>
</header>`
const NOTE = html`<p class="panel notice">
  This is the demo account of the sandbox. Wallets, trades and prices are invented.
</p>`

/** The portfolio pages of the demo account, open to everybody and for reading only. */
export function addDemoPages(
  app: FastifyInstance,
  deps: {
    db: ReadonlyDb
    now: () => Date
    meter: Pick<Meter, 'identify'>
    issuer: string
    subject: string
  },
): void {
  const { meter, issuer, subject } = deps
  const few = atMost(MAX_CONCURRENT)
  addPortfolioPages(app, {
    ...deps,
    base: DEMO,
    visits: (show) => (request, reply) =>
      few(async () => {
        const accountId = await meter.identify({ issuer, subject })
        if (accountId === null)
          return sendPage(reply, {
            status: 404,
            title: 'Demo',
            header: HEADER,
            body: html`<p class="panel notice">The demo account is not there yet. Reload in a minute.</p>`,
          })
        await show({
          request,
          account: { accountId, name: 'demo', degen: false },
          flash: async () => false,
          show: (content) =>
            void sendPage(reply, { ...content, header: HEADER, body: html`${NOTE}${content.body}` }),
        })
        return reply
      }),
  })
}

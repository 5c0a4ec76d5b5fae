import type { FastifyInstance } from 'fastify'
import { html } from '../parts/html.ts'
import { sendPage } from '../parts/send-page.ts'
import { servePath } from '../parts/serve-path.ts'

interface Places {
  /** there is an account page */
  hasAccounts: boolean
  hasDemo: boolean
}

/** The page at `/`: where to go, for people as a page and for programs as JSON. */
export function homePage({ hasAccounts, hasDemo }: Places): (app: FastifyInstance) => Promise<void> {
  const places = {
    docs: '/v1/docs',
    openapi: '/v1/openapi.json',
    llms: '/llms.txt',
    status: '/v1/status',
    ...(hasAccounts && { account: '/account' }),
    ...(hasDemo && { demo: '/demo' }),
  }
  const body = html`<p>
      Balances, transactions, profit and loss of wallets and exchange accounts; prices, news and prediction
      markets. Read from tables that this installation keeps itself.
    </p>
    <p class="row">
      ${hasAccounts && html`<a class="button" href="/account">Your portfolio</a>`}
      ${hasDemo && html`<a class="button" href="/demo">Look at the demo</a>`}
    </p>
    <h2>For programs</h2>
    <ul>
      <li><a href="/v1/docs">Reference</a>: every endpoint, with calls to try</li>
      <li><a href="/v1/openapi.json">OpenAPI document</a></li>
      <li><a href="/llms.txt">Text for language models</a></li>
      <li><a href="/v1/status">State of the data</a></li>
    </ul>`
  return async (app) => {
    servePath(app, '/', {
      GET: async (request, reply) =>
        request.headers.accept?.includes('text/html')
          ? sendPage(reply.header('vary', 'accept'), { title: 'Crypto data of your own', body })
          : reply.header('vary', 'accept').send({ name: 'Sluice', ...places }),
    })
  }
}

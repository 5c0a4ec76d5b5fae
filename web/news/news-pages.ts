import type { FastifyInstance } from 'fastify'
import { isNewsId } from '../../api/news/news-item.ts'
import { readNewsItem, type ServedNews } from '../../db/news/read-news.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { atMost } from '../parts/at-most.ts'
import { sendErrorPage, wayOn } from '../parts/error-page.ts'
import { minute } from '../parts/format.ts'
import { html, type Html } from '../parts/html.ts'
import { sendPage } from '../parts/send-page.ts'
import { servePath } from '../parts/serve-path.ts'

const MAX_CONCURRENT = 4

/** The page of an article, to which its `shareURL` leads: summary, source and coins, free and without a key. */
export function newsPages({ db }: { db: ReadonlyDb }): (app: FastifyInstance) => Promise<void> {
  const few = atMost(MAX_CONCURRENT)
  return async (app) => {
    app.setErrorHandler((error, request, reply) => sendErrorPage(error, request, reply))
    servePath(app, '/news/:id', {
      async GET(request, reply) {
        const { id } = request.params as { id: string }
        const item = isNewsId(id) ? await few(() => readNewsItem(db, id)) : undefined
        return item
          ? sendPage(reply, { title: item.title, body: article(item) })
          : sendPage(reply, {
              status: 404,
              title: 'News not found',
              body: html`<p class="panel problem">This article does not exist, or it is no longer kept.</p>
                ${wayOn(request)}`,
            })
      },
    })
  }
}

function article({ source_name, web_url, link, summary, published_ms, coins }: ServedNews): Html {
  return html`<p class="soft">
      <a href="${web_url}" rel="noreferrer">${source_name}</a>,
      <time datetime="${new Date(published_ms).toISOString()}">${minute(new Date(published_ms))}</time>
    </p>
    ${summary !== null && html`<p>${summary}</p>`}
    <p><a class="button" href="${link}" rel="noreferrer">Read the article at ${source_name}</a></p>
    ${
      coins.length > 0 &&
      html`<h2>Coins in this article</h2>
        <table>
          <thead>
            <tr>
              <th scope="col">Coin</th>
              <th scope="col" class="number">Price change in 24 hours</th>
            </tr>
          </thead>
          <tbody>
            ${coins.map(
              (coin) =>
                html`<tr>
                  <th scope="row">${coin.name} <span class="soft">${coin.symbol}</span></th>
                  <td class="number">${percent(coin.price_change_1d)}</td>
                </tr>`,
            )}
          </tbody>
        </table>`
    }`
}

const percent = (change: string | null): string =>
  change === null
    ? 'unknown'
    : `${Number(change).toLocaleString('en-US', { maximumFractionDigits: 2, signDisplay: 'exceptZero' })} %`

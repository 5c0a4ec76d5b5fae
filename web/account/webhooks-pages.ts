import { badRequest, notFound, unavailable } from '../../api/errors.ts'
import { newSecret } from '../../api/events/new-secret.ts'
import { patchWebhook } from '../../api/events/patch-webhook.ts'
import { postWebhookReplay } from '../../api/events/post-webhook-replay.ts'
import { postWebhookRotate } from '../../api/events/post-webhook-rotate.ts'
import type { WebhookSettings } from '../../api/events/webhook-settings.ts'
import type { Route } from '../../api/route.ts'
import {
  type Delivery,
  readDeliveries,
  readReplay,
  readWebhooks,
  type Webhook,
} from '../../db/events/read-webhooks.ts'
import type { WebhookWrite } from '../../db/events/webhook-write.ts'
import type { Meter } from '../../db/metering/meter.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { isUuid } from '../../db/values/uuid.ts'
import { counted, minute } from '../parts/format.ts'
import { html, type Html } from '../parts/html.ts'
import { chargeCall } from './charge-call.ts'
import { liveForm } from './live-page.ts'
import type { AccountVisit } from './visit.ts'

const HOME = '/account/webhooks'
const DELIVERIES = 100

interface WebhooksDeps {
  db: ReadonlyDb
  meter: Pick<Meter, 'admit' | 'chargeWrite'>
  /** Absent: no key to seal secrets is configured. */
  webhooks?: WebhookSettings
  now: () => Date
}

/** Pages of webhook endpoints: their state, deliveries, secrets. Actions cost what the API takes for them. */
export function webhooksPages({ db, meter, webhooks, now }: WebhooksDeps) {
  async function endpointOf({ request, account: { accountId } }: AccountVisit): Promise<Webhook> {
    const { id } = request.params as { id: string }
    const [webhook] = isUuid(id) ? await readWebhooks(db, { accountId, id }) : []
    if (!webhook) throw notFound()
    return webhook
  }
  const write = ({ request, account: { accountId } }: AccountVisit, route: Route, one: WebhookWrite) =>
    chargeCall(meter, { request, accountId, route }, async () => ({ body: null, asOf: null, writes: [one] }))

  return {
    list: async ({ account: { accountId }, csrf, flash, show }: AccountVisit) => {
      const all = await readWebhooks(db, { accountId })
      show({
        title: 'Webhooks',
        body: html`${await flash()} ${all.length === 0 && html`<p class="soft">No endpoints yet.</p>`}
          ${all.map(panel)}
          <p>
            Programs add endpoints with <code>POST /v1/webhooks</code>: see the
            <a href="/v1/docs">reference</a>.
          </p>
          <h2>Live</h2>
          ${liveForm(csrf)}`,
      })
    },

    show: async (visit: AccountVisit) => {
      const { account, csrf, flash, show } = visit
      const webhook = await endpointOf(visit)
      const { id, previousUntil } = webhook
      const deliveries = await readDeliveries(db, {
        accountId: account.accountId,
        endpointId: id,
        beforeSeq: null,
        limit: DELIVERIES,
      })
      const action = (what: string, text: string) =>
        html`<form method="post" action="${HOME}/${id}/${what}">
          ${csrf}<button class="plain">${text}</button>
        </form>`
      show({
        title: 'Webhook',
        body: html`${await flash()}
          <p><a href="${HOME}">All webhooks</a></p>
          ${facts(webhook)}
          ${isStopped(webhook) && action('start', `Start again (${counted(patchWebhook.credits, 'credit')})`)}
          <h2>Secret</h2>
          <p>
            Each change costs ${counted(postWebhookRotate.credits, 'credit')}. For 24 hours requests are
            signed with the earlier secret too.
            ${previousUntil && previousUntil > now() && html`The earlier one signs until ${minute(previousUntil)}.`}
          </p>
          ${webhooks && action('rotate', 'Make another secret')}
          <h2>Deliveries</h2>
          ${deliveries.length === 0 ? html`<p class="soft">None yet.</p>` : table(deliveries, { id, csrf })}`,
      })
    },

    rotate: async (visit: AccountVisit) => {
      const { account, redirect } = visit
      const { id } = await endpointOf(visit)
      if (!webhooks) throw unavailable()
      const { secret, sealed } = newSecret({ accountId: account.accountId, endpointId: id, ...webhooks })
      await write(visit, postWebhookRotate, { kind: 'webhook-rotate', id, sealed })
      await redirect(`${HOME}/${id}`, {
        message: 'Copy the new secret now. It is shown only once.',
        secret,
      })
    },

    resend: async (visit: AccountVisit) => {
      const { form, redirect } = visit
      const { id } = await endpointOf(visit)
      const seq = form.text('seq')
      const asked = { accountId: visit.account.accountId, endpointId: id, fromSeq: seq, from: null, limit: 1 }
      const found = /^\d{1,18}$/.test(seq) && (await readReplay(db, asked))
      if (!found || found.fromSeq !== seq) throw badRequest('This event is no longer kept.')
      await write(visit, postWebhookReplay, { kind: 'webhook-replay', id, fromSeq: seq, throughSeq: seq })
      await redirect(`${HOME}/${id}`, { message: `Event ${seq} is sent again.` })
    },

    start: async (visit: AccountVisit) => {
      const webhook = await endpointOf(visit)
      const { id } = webhook
      if (!isStopped(webhook)) throw badRequest('The endpoint is not stopped.')
      await write(visit, patchWebhook, { kind: 'webhook-change', id, restart: true })
      await visit.redirect(`${HOME}/${id}`, {
        message: 'A ping is sent. Once it is answered, events follow.',
      })
    },
  }
}

const isStopped = ({ state }: Webhook): boolean => state === 'paused' || state === 'disabled'

const panel = (webhook: Webhook): Html =>
  html`<section class="panel">
    <h2>${webhook.url}</h2>
    ${facts(webhook)}
    <p><a href="${HOME}/${webhook.id}">Deliveries and secret of ${webhook.url}</a></p>
  </section>`

function facts({ url, types, state, reason, failingSince, watchesPortfolios, wallets }: Webhook): Html {
  return html`<dl>
    <dt>URL</dt>
    <dd><code>${url}</code></dd>
    <dt>State</dt>
    <dd>${state.replace('_', ' ')}${reason !== null && `: ${reason}`}</dd>
    ${
      failingSince &&
      html`<dt>Failing since</dt>
        <dd>${minute(failingSince)}</dd>`
    }
    <dt>Events</dt>
    <dd>${types.join(', ')}</dd>
    <dt>Wallets</dt>
    <dd>
      ${[...(watchesPortfolios ? ['all of your portfolios'] : []), ...(wallets > 0 ? [`${wallets} by address`] : [])].join(', ') || 'none'}
    </dd>
  </dl>`
}

function table(deliveries: readonly Delivery[], { id, csrf }: { id: string; csrf: Html }): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Deliveries">
    <table>
      <thead>
        <tr>
          <th scope="col">Number</th>
          <th scope="col">Type</th>
          <th scope="col">Made</th>
          <th scope="col">State</th>
          <th scope="col">Attempts</th>
          <th scope="col">Last answer</th>
          <th scope="col">Send again (${counted(postWebhookReplay.credits, 'credit')})</th>
        </tr>
      </thead>
      <tbody>
        ${deliveries.map(
          (one) =>
            html`<tr>
              <td>${one.seq}</td>
              <td>${one.type}</td>
              <td>${minute(one.createdAt)}</td>
              <td>${stateOf(one)}</td>
              <td class="number">${one.attempts}</td>
              <td>${one.failure ?? (one.status === null ? '' : `${one.status} in ${one.ms} ms`)}</td>
              <td>
                ${
                  !one.isOpen &&
                  html`<form method="post" action="${HOME}/${id}/resend">
                    ${csrf}<input type="hidden" name="seq" value="${one.seq}" /><button class="plain">
                      Send ${one.seq}
                    </button>
                  </form>`
                }
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function stateOf({ isOpen, deliveredAt, nextAt }: Delivery): string {
  if (deliveredAt) return `delivered ${minute(deliveredAt)}`
  if (!isOpen) return 'given up'
  return nextAt ? `next attempt ${minute(nextAt)}` : 'waits for its endpoint'
}

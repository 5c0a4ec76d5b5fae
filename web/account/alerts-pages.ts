import { notFound } from '../../api/errors.ts'
import { deleteAlerts } from '../../api/events/delete-alerts.ts'
import { newAlert } from '../../api/events/new-alert.ts'
import { parseAlert } from '../../api/events/parse-alert.ts'
import { postAlert } from '../../api/events/post-alert.ts'
import { describePortfolio } from '../../api/portfolios/describe-portfolio.ts'
import { EVENT_LIMITS } from '../../db/events/plan-limits.ts'
import { type Alert, countAlerts, knownAlerts, readAlerts } from '../../db/events/read-alerts.ts'
import { readWebhooks } from '../../db/events/read-webhooks.ts'
import type { Meter } from '../../db/metering/meter.ts'
import type { PlanId } from '../../db/metering/tables.ts'
import { readPortfolios } from '../../db/portfolios/read-portfolios.ts'
import { readMarketsById } from '../../db/prediction/read-markets.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { isUuid } from '../../db/values/uuid.ts'
import { count, counted, minute } from '../parts/format.ts'
import { html, type Html } from '../parts/html.ts'
import { alertForms, readAlertForm } from './alert-forms.ts'
import { chargeCall } from './charge-call.ts'
import type { AccountVisit } from './visit.ts'

const HOME = '/account/alerts'
const SHOWN = 100

interface AlertsDeps {
  db: ReadonlyDb
  meter: Pick<Meter, 'admit' | 'chargeWrite'>
  now: () => Date
}

/** Pages of alerts: list, add, remove. Actions cost what the API takes for them. */
export function alertsPages({ db, meter, now }: AlertsDeps) {
  async function planOf(accountId: string): Promise<PlanId> {
    const states = await meter.admit(new Map([[accountId, 0]]))
    return states.get(accountId)!.plan as PlanId
  }

  return {
    list: async ({ account: { accountId }, csrf, flash, show }: AccountVisit) => {
      const most = EVENT_LIMITS[await planOf(accountId)].alerts
      const total = await countAlerts(db, accountId)
      const alerts = await readAlerts(db, { accountId, offset: Math.max(0, total - SHOWN), limit: SHOWN })
      const portfolios = (await readPortfolios(db, { accountId })).map((one) => ({
        id: one.id,
        name: describePortfolio(one).name,
      }))
      const endpoints = await readWebhooks(db, { accountId })
      const names = await namesOf(db, { alerts, portfolios })
      show({
        title: 'Alerts',
        body: html`${await flash()}
          <p>
            An alert makes an event when its rule fires, for the pages, streams and
            <a href="/account/webhooks">webhooks</a> of your account. You have ${count(total)} of
            ${count(most)}.
          </p>
          ${total > SHOWN && html`<p class="soft">These are the newest ${SHOWN}. <code>GET /v1/alerts</code> lists all.</p>`}
          ${alerts.length > 0 && table(alerts.toReversed(), { names, csrf })}
          <h2>New alert (${counted(postAlert.credits, 'credit')})</h2>
          ${alertForms({ action: HOME, csrf, portfolios, endpoints })}`,
      })
    },

    add: async ({ request, account: { accountId }, form, redirect }: AccountVisit) => {
      const body = parseAlert(readAlertForm(form))
      const account = { id: accountId, plan: await planOf(accountId) }
      await chargeCall(meter, { request, accountId, route: postAlert }, async () => {
        const { write } = await newAlert({ db, now }, { account, body })
        return { body: null, asOf: null, writes: [write] }
      })
      await redirect(HOME, { message: 'The alert is added.' })
    },

    remove: async ({ request, account: { accountId }, redirect }: AccountVisit) => {
      const { id } = request.params as { id: string }
      await chargeCall(meter, { request, accountId, route: deleteAlerts }, async () => {
        if (!isUuid(id) || !(await knownAlerts(db, { accountId, ids: [id] })).has(id)) throw notFound()
        return { body: null, asOf: null, writes: [{ kind: 'alert-delete', ids: [id] }] }
      })
      await redirect(HOME, { message: 'The alert is removed.' })
    },
  }
}

/** Names of portfolios and questions of markets, by id. */
async function namesOf(
  db: ReadonlyDb,
  { alerts, portfolios }: { alerts: readonly Alert[]; portfolios: readonly { id: string; name: string }[] },
): Promise<ReadonlyMap<string, string>> {
  const marketIds = alerts.filter(({ type }) => type.startsWith('market.')).map(({ subject }) => subject)
  const markets = await readMarketsById(db, [...new Set(marketIds)].map(Number))
  return new Map([
    ...portfolios.map(({ id, name }) => [id, name] as const),
    ...markets.map(({ id, question }) => [String(id), question] as const),
  ])
}

function table(
  alerts: readonly Alert[],
  { names, csrf }: { names: ReadonlyMap<string, string>; csrf: Html },
): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Alerts">
    <table>
      <thead>
        <tr>
          <th scope="col">Of</th>
          <th scope="col">Fires when</th>
          <th scope="col">State</th>
          <th scope="col">Last fired</th>
          <th scope="col">Remove (${counted(deleteAlerts.credits, 'credit')})</th>
        </tr>
      </thead>
      <tbody>
        ${alerts.map((alert) => {
          const name = names.get(alert.subject) ?? alert.subject
          return html`<tr>
            <td>${name}</td>
            <td>${conditionOf(alert)}</td>
            <td>${alert.armed ? 'armed' : 'past its limit'}</td>
            <td>${alert.firedAt ? minute(alert.firedAt) : 'never'}</td>
            <td>
              <form method="post" action="${HOME}/${alert.id}/remove">
                ${csrf}<button class="plain" aria-label="Remove the alert of ${name}">Remove</button>
              </form>
            </td>
          </tr>`
        })}
      </tbody>
    </table>
  </div>`
}

function conditionOf({ type, rule }: Alert): string {
  if (type === 'market.resolved') return 'the market is resolved or cancelled'
  const unit = type === 'coin.price' ? ' USD' : ''
  if (rule['above'] !== undefined) return `the price rises to ${rule['above']}${unit}`
  if (rule['below'] !== undefined) return `the price falls to ${rule['below']}${unit}`
  if (type === 'coin.price')
    return `the price moves by ${rule['changePercent']} % in ${counted(Number(rule['windowSeconds']) / 3_600, 'hour')}`
  return `the value moves by ${rule['changePercent']} %, once in ${counted(Number(rule['everySeconds']) / 60, 'minute')} at most`
}

import { html, type Html } from '../../web/parts/html.ts'
import { table } from '../../web/parts/table.ts'
import { operationId } from '../operation-id.ts'
import type { Route } from '../route.ts'
import { docsPage } from './docs-layout.ts'
import { PLANS } from './plans.ts'

const DAYS = 30
const MOST_ROWS = 20
const MOST_CALLS = 100_000_000
const MOST_ITEMS = 1_000

/** Calls of one endpoint. */
interface Planned {
  route: Route
  callsPerDay: number
  /** Networks or wallets that each call names; 0: `all`. */
  items: number
}

/** The page on which a visitor works out the credits of a month. `query`: rows of its form. */
export function creditsPage(routes: readonly Route[], query: string): string {
  const priced = routes.filter((route) => !route.public)
  const planned = plannedIn(priced, query)
  const body = html`<p>
      Each call costs its endpoint's credits, and errors cost none. Some endpoints cost more for each network
      or wallet that a call names, and have a price of their own for <code>all</code>. GET /v1/quote gives the
      exact price of one call.
    </p>
    <form action="/v1/docs/credits">
      ${[...planned, null].map((row, n) => rowFields(priced, { row, n }))}
      <button>Work it out</button>
    </form>
    ${planned.length > 0 && result(planned)}
    <h2>Plans</h2>
    ${table({
      label: 'Plans',
      columns: ['Plan', 'Credits a month', 'Requests a second'],
      numbers: ['Credits a month', 'Requests a second'],
      rows: PLANS.map(({ id, creditsPerMonth, requestsPerSecond }) => [
        id,
        whole(creditsPerMonth),
        whole(requestsPerSecond),
      ]),
    })}
    <p class="soft">An operator may set other limits for an account: GET /v1/usage/credits has yours.</p>`
  return docsPage({ at: '/v1/docs/credits', title: 'Credits', body })
}

/** The rows of the form. Rows that are empty or unknown are left out, and numbers are brought into their range. */
function plannedIn(routes: readonly Route[], query: string): Planned[] {
  const fields = new URLSearchParams(query)
  const [calls, items] = [fields.getAll('calls'), fields.getAll('items')]
  return fields
    .getAll('endpoint')
    .slice(0, MOST_ROWS)
    .flatMap((id, n) => {
      const route = routes.find((one) => operationId(one) === id)
      if (!route) return []
      return [
        {
          route,
          callsPerDay: numberIn(calls[n], { most: MOST_CALLS, absent: 1 }),
          items: numberIn(items[n], { most: MOST_ITEMS, absent: 1 }),
        },
      ]
    })
}

function numberIn(text: string | undefined, { most, absent }: { most: number; absent: number }): number {
  const value = Number(text)
  return text === undefined || text === '' || !Number.isFinite(value)
    ? absent
    : Math.min(Math.max(Math.floor(value), 0), most)
}

function rowFields(routes: readonly Route[], { row, n }: { row: Planned | null; n: number }): Html {
  const option = (route: Route) => {
    const id = operationId(route)
    return html`<option value="${id}" ${row?.route === route && html`selected`}>
      ${route.method} ${route.path}
    </option>`
  }
  return html`<fieldset>
    <legend>${row ? `Endpoint ${n + 1}` : 'Add an endpoint'}</legend>
    <div class="filters">
      <div>
        <label for="endpoint-${n}">Endpoint</label>
        <select id="endpoint-${n}" name="endpoint">
          <option value="">none</option>
          ${row ? option(row.route) : routes.map(option)}
        </select>
      </div>
      <label>
        Calls a day
        <input name="calls" type="number" min="0" max="${MOST_CALLS}" value="${row?.callsPerDay ?? 100}" />
      </label>
      <label>
        Networks or wallets in a call; 0: all
        <input name="items" type="number" min="0" max="${MOST_ITEMS}" value="${row?.items ?? 1}" />
      </label>
    </div>
  </fieldset>`
}

/** Credits of one call. An endpoint with a fixed price takes no notice of the number of items. */
function creditsOf({ route: { credits, multiplied }, items }: Planned): number {
  if (!multiplied) return credits
  return items === 0 ? multiplied.creditsAll : credits * items
}

function result(planned: readonly Planned[]): Html {
  const month = (one: Planned) => creditsOf(one) * one.callsPerDay * DAYS
  const total = planned.reduce((sum, one) => sum + month(one), 0)
  const needsPaid = planned.some(({ route }) => route.plan === 'paid')
  const plan = PLANS.find(({ creditsPerMonth, isPaid }) => creditsPerMonth >= total && (isPaid || !needsPaid))
  return html`<h2>In ${DAYS} days</h2>
    ${table({
      label: 'Credits',
      columns: ['Endpoint', 'Credits a call', 'Calls a day', 'Credits in 30 days'],
      numbers: ['Credits a call', 'Calls a day', 'Credits in 30 days'],
      rows: planned.map((one) => [
        `${one.route.method} ${one.route.path}`,
        whole(creditsOf(one)),
        whole(one.callsPerDay),
        whole(month(one)),
      ]),
    })}
    <p role="status">
      <strong>${whole(total)} credits.</strong>
      ${plan ? `The plan ${plan.id} has enough.` : 'No plan has so many: ask the operator.'}
      ${needsPaid && 'One of the endpoints needs a paid plan.'}
    </p>`
}

const whole = (value: number): string => value.toLocaleString('en')

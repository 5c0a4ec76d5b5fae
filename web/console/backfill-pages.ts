import { badRequest } from '../../api/errors.ts'
import {
  type BackfillPlan,
  type BackfillSpan,
  orderBackfill,
  planBackfill,
} from '../../db/console/backfill.ts'
import { readSources } from '../../db/console/read-sources.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { duration } from '../../db/values/duration.ts'
import { count } from '../parts/format.ts'
import { html, type Html } from '../parts/html.ts'
import { table } from '../parts/table.ts'
import type { Visit } from '../parts/visit.ts'

export const BACKFILL = '/console/backfill'
const MOST_COINS = 1_000

type OperatorVisit = Visit & { subject: string }
type Read = (name: string) => string

/** Fetches missing prices of a span, after it has shown how many requests that takes, and how long. */
export function backfillPages({ db, now }: { db: ReadonlyDb; now: () => Date }) {
  async function planOf(span: BackfillSpan): Promise<BackfillPlan> {
    const plan = await planBackfill(db, span, await readSources(db))
    if (plan.unknown.length > 0)
      throw badRequest(`These coins have no source: ${plan.unknown.slice(0, 10).join(', ')}.`)
    return plan
  }

  return {
    show: async ({ request, csrf, flash, show }: OperatorVisit) => {
      const asked = new URLSearchParams(request.url.split('?')[1]?.replaceAll('%00', ''))
      const read: Read = (name) => asked.get(name)?.trim() ?? ''
      const plan = read('from') === '' ? null : await planOf(spanIn(read, now()))
      show({
        title: 'Back-fill',
        body: html`${await flash()} ${spanForm(read)} ${plan && estimate(plan, { read, csrf })}`,
      })
    },

    order: async ({ form, redirect, subject: operator }: OperatorVisit) => {
      const span = spanIn(form.text, now())
      const { missing } = await planOf(span)
      if (missing.length > 0) await orderBackfill(db, { ...span, coinIds: missing, operator })
      await redirect(BACKFILL, {
        message:
          missing.length > 0
            ? `The prices of ${count(missing.length)} coins are asked for.`
            : 'Nothing is missing in this span.',
      })
    },
  }
}

function spanIn(read: Read, now: Date): BackfillSpan {
  const instant = (name: string) => {
    const text = read(name)
    if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(Date.parse(text)))
      throw badRequest(`Enter a day as 2026-01-31, not "${text}".`)
    return Date.parse(text)
  }
  const fromMs = instant('from')
  const toMs = read('to') === '' ? now.getTime() : instant('to')
  if (fromMs >= toMs)
    throw badRequest('The span ends before it begins. Give an earlier first day or a later last day.')
  if (toMs > now.getTime()) throw badRequest('The span ends in the future.')
  const coins = [
    ...new Set(
      read('coins')
        .split(',')
        .map((id) => id.trim())
        .filter(Boolean),
    ),
  ]
  if (coins.length > MOST_COINS) throw badRequest(`Give at most ${count(MOST_COINS)} coins.`)
  return {
    resolution: read('resolution') === 'hour' ? 'hour' : 'day',
    fromMs,
    toMs,
    coinIds: coins.length > 0 ? coins : null,
  }
}

const spanForm = (read: Read): Html =>
  html`<form method="get" action="${BACKFILL}">
    <label>First day (UTC) <input type="date" name="from" required value="${read('from')}" /></label>
    <label
      >Until (UTC) <input type="date" name="to" value="${read('to')}" />
      <span class="small soft">Empty: now</span></label
    >
    <label
      >Prices
      <select name="resolution">
        ${['day', 'hour'].map((one) => html`<option value="${one}" ${one === read('resolution') && html` selected`}>one for each ${one}</option>`)}
      </select></label
    >
    <label
      >Coins <input name="coins" value="${read('coins')}" />
      <span class="small soft">Ids with commas between them. Empty: all listed coins</span></label
    >
    <button>Estimate</button>
  </form>`

function estimate({ sources, missing }: BackfillPlan, { read, csrf }: { read: Read; csrf: Html }): Html {
  if (missing.length === 0) return html`<p class="panel">Nothing is missing in this span.</p>`
  return html`<h2>What it takes</h2>
    ${table({
      label: 'What it takes',
      columns: ['Source', 'Coins', 'Requests', 'At least'],
      numbers: ['Coins', 'Requests'],
      rows: sources.map(({ source, coins, requests, leastSeconds }) => [
        source,
        count(coins),
        count(requests),
        leastSeconds === null ? 'unknown' : duration(leastSeconds),
      ]),
    })}
    <p class="soft">
      The stored prices of a coin have no gaps: prices between the span and the stored ones are fetched as
      well.
    </p>
    <form method="post" action="${BACKFILL}">
      ${csrf}${['from', 'to', 'resolution', 'coins'].map((name) => html`<input type="hidden" name="${name}" value="${read(name)}" />`)}
      <button>Fetch them</button>
    </form>`
}

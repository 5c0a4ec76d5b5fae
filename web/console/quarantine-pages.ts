import type { ReadonlyDb } from '../../db/schema.ts'
import { retryQuarantined } from '../../db/console/operator.ts'
import {
  readQuarantineCounts,
  readQuarantinedItem,
  readQuarantinedItems,
  type RefusalCount,
  type QuarantinedItem,
} from '../../db/console/read-quarantine.ts'
import { count, minute } from '../parts/format.ts'
import { html, type Html } from '../parts/html.ts'
import { table } from '../parts/table.ts'
import type { Visit } from '../parts/visit.ts'
import { ago, badge, share } from './figures.ts'
import { idOf } from './id-of.ts'
import { live, liveSign } from './live.ts'

const HOME = '/console/quarantine'
const EVERY_S = 5
const MOST_ITEMS = 50
const MOST_REASONS = 12
const MOST_CHOICES = 50
const MOST_CHARACTERS = 20_000

/** Pages of quarantined rows: reason, payload and retry. */
export function quarantinePages({ db, now }: { db: ReadonlyDb; now: () => Date }) {
  return {
    list: async ({ request, csrf, flash, show }: Visit) => {
      // Postgres texts cannot hold NUL, and a query with one fails.
      const asked = new URLSearchParams(request.url.split('?')[1]?.replaceAll('%00', ''))
      const [source, reason] = [asked.get('source') || undefined, asked.get('reason') || undefined]
      const filter = { ...(source && { source }), ...(reason && { reason }) }
      const [counts, items] = await Promise.all([
        readQuarantineCounts(db),
        readQuarantinedItems(db, { ...filter, limit: MOST_ITEMS }),
      ])
      const at = now()
      show({
        title: 'Quarantine',
        // With a filter it repeats what was asked.
        compressed: source === undefined && reason === undefined,
        body: html`${await flash()} ${liveSign(at, { everySeconds: EVERY_S })}
          <h2>Reasons</h2>
          ${live('reasons', reasons(counts, at))}
          <h2>Rows</h2>
          ${filters(counts, filter)} ${live('rows', rows(items, csrf, at))}`,
      })
    },

    show: async ({ request, csrf, flash, show }: Visit) => {
      const id = idOf(request)
      const item = await readQuarantinedItem(db, { id, characters: MOST_CHARACTERS })
      const at = now()
      show({
        title: `Quarantined row ${id}`,
        body: html`${await flash()} ${liveSign(at, { everySeconds: EVERY_S })}
          <p><a href="${HOME}">All quarantined rows</a></p>
          ${live('row', item ? details(item, csrf, at) : GONE)}`,
      })
    },

    retry: async ({ request, redirect, subject }: Visit & { subject: string }) => {
      const id = idOf(request)
      const message = (await retryQuarantined(db, { id, operator: subject }))
        ? 'Retry requested. The row leaves quarantine if it passes.'
        : 'This row is gone, is being retried, or cannot be retried on its own.'
      await redirect(`${HOME}/${id}`, { message })
    },
  }
}

const GONE = html`<p class="panel">
  This row is not in quarantine. A row leaves when it passes a retry, or when the retry finds that its source
  no longer sends it.
</p>`

function reasons(counts: readonly RefusalCount[], at: Date): Html {
  if (counts.length === 0) return html`<p class="soft">The quarantine is empty.</p>`
  const most = counts[0]!.rows
  return html`${table({
    label: 'Rows by source and reason',
    columns: ['Source', 'Area', 'Reason', 'Rows', 'Share', 'Newest'],
    numbers: ['Rows'],
    rows: counts
      .slice(0, MOST_REASONS)
      .map((one) => [
        one.source,
        one.area,
        one.reason ?? 'not shown: rows of exchange accounts are private',
        count(one.rows),
        share(one.rows / most),
        ago(one.newestAt, at),
      ]),
  })}
  ${counts.length > MOST_REASONS && html`<p class="soft">And ${count(counts.length - MOST_REASONS)} more.</p>`}`
}

function filters(counts: readonly RefusalCount[], filter: { source?: string; reason?: string }): Html {
  // The most frequent first. A reason may name its row, so that there are as many as rows.
  const shown = counts.filter(({ reason }) => reason !== null).slice(0, MOST_CHOICES)
  const choices = (values: readonly string[], chosen: string | undefined) =>
    [...new Set([...(chosen ? [chosen] : []), ...values])]
      .sort()
      .map(
        (value) =>
          html`<option value="${value}" ${value === chosen && html` selected`}>${cut(value, 90)}</option>`,
      )
  return html`<form method="get" action="${HOME}" class="filters">
    <label
      >Source
      <select name="source">
        <option value="">all</option>
        ${choices(
          shown.map(({ source }) => source),
          filter.source,
        )}
      </select></label
    >
    <label
      >Reason
      <select name="reason">
        <option value="">all</option>
        ${choices(
          shown.map(({ reason }) => reason!),
          filter.reason,
        )}
      </select></label
    >
    <button>Show</button>
  </form>`
}

function rows(items: readonly QuarantinedItem[], csrf: Html, at: Date): Html {
  if (items.length === 0) return html`<p class="soft">No rows match.</p>`
  return html`${table({
    label: 'Quarantined rows',
    columns: ['Row', 'Source', 'Area', 'Quarantined', 'Reason', 'Retry'],
    rows: items.map((item) => [
      html`<a href="${HOME}/${item.id}" aria-label="Row ${item.id} with its payload">${item.id}</a>`,
      item.source,
      item.area,
      ago(item.fetchedAt, at),
      cut(item.reason, 160),
      html`${retryState(item, at)} ${retryForm(item, csrf)}`,
    ]),
  })}
  ${items.length === MOST_ITEMS && html`<p class="soft">Only the newest ${MOST_ITEMS} rows are shown.</p>`}`
}

function details(item: QuarantinedItem & { payload: string; isCut: boolean }, csrf: Html, at: Date): Html {
  const { source, area, reason, fetchedAt, activity, payload, isCut } = item
  return html`<dl class="panel">
      <dt>Source</dt>
      <dd>${source}, for ${area}</dd>
      <dt>Quarantined</dt>
      <dd>${minute(fetchedAt)}, ${ago(fetchedAt, at)}</dd>
      <dt>Reason</dt>
      <dd>${reason}</dd>
      <dt>Retry</dt>
      <dd>
        ${retryState(item, at)} ${retryForm(item, csrf)}
        <span class="soft"
          >${
            activity === null
              ? 'It cannot be retried on its own, because each run reads on from where the last one ended.'
              : html`Runs <code>${activity}</code> again, which rereads the source. The row leaves quarantine
                  if it passes.`
          }</span
        >
      </dd>
    </dl>
    <h2>What the source sent</h2>
    <pre tabindex="0" role="region" aria-label="Payload">${payload}</pre>
    ${isCut && html`<p class="soft">Cut after ${count(MOST_CHARACTERS)} characters.</p>`}`
}

function retryForm({ id, activity, retryState: state }: QuarantinedItem, csrf: Html): Html | false {
  if (activity === null || state === 'asked') return false
  return html`<form method="post" action="${HOME}/${id}/retry">
    ${csrf}<button class="plain" aria-label="Retry row ${id}">Retry</button>
  </form>`
}

function retryState(
  { activity, retryState: state, retryAt, retryFailure }: QuarantinedItem,
  at: Date,
): Html | false {
  const since = retryAt && ago(retryAt, at)
  if (state === 'asked') return badge('odd', `being retried, requested ${since}`)
  if (state === 'refused') return badge('bad', `quarantined again, retried ${since}`)
  if (state === 'failed')
    return html`${badge('bad', `retried ${since}`)} <span class="soft">${retryFailure}</span>`
  return activity === null && html`<span class="soft">not on its own</span>`
}

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text

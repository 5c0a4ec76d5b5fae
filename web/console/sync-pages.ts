import { badRequest } from '../../api/errors.ts'
import { orderSync } from '../../db/console/order-sync.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { duration } from '../../db/values/duration.ts'
import { count } from '../parts/format.ts'
import { html, type Html } from '../parts/html.ts'
import { table } from '../parts/table.ts'
import type { Visit } from '../parts/visit.ts'
import { badge, share } from './figures.ts'
import { live, liveSign } from './live.ts'
import { rateInWords, type SyncFigures, syncFigures } from './sync-figures.ts'
import { NothingToSync, type SyncTarget, syncTargets } from './sync-targets.ts'

export const SYNCS = '/console/syncs'
const EVERY_S = 2

type OperatorVisit = Visit & { subject: string }

/** What the page of a sync has to know of its begin: `name,cursor,rows` of each target. */
type Begun = ReadonlyMap<string, { cursor: string | null; rows: number }>

/** Syncs a wallet or an exchange account and shows how far it is. */
export function syncPages(deps: { db: ReadonlyDb; served: ReadonlyDb; now: () => Date }) {
  const targetsOf = (asked: { subject: string; network: string | undefined }) =>
    syncTargets(deps, asked).catch((error: unknown) => {
      throw error instanceof NothingToSync ? badRequest(sentence(error.message)) : error
    })

  return {
    show: async ({ request, csrf, flash, show }: OperatorVisit) => {
      const asked = new URLSearchParams(request.url.split('?')[1]?.replaceAll('%00', ''))
      const subject = asked.get('subject') ?? ''
      const since = new Date(asked.get('since') ?? Number.NaN)
      const at = deps.now()
      const isAsked = subject !== '' && !Number.isNaN(since.getTime())
      const network = asked.get('network') || undefined
      const figures = isAsked
        ? await figuresOf(await targetsOf({ subject, network }), { begun: begunOf(asked), since, at })
        : []
      show({
        title: 'Syncs',
        body: html`${await flash()} ${isAsked && liveSign(at, { everySeconds: EVERY_S })}
        ${isAsked && live('sync-now', progressTable(figures))} ${form(csrf, { subject, network })}`,
      })
    },

    order: async ({ form: sent, redirect, subject: operator }: OperatorVisit) => {
      const subject = sent.text('subject')
      const network = sent.text('network') || undefined
      const targets = await targetsOf({ subject, network })
      const query = new URLSearchParams({ subject, ...(network !== undefined && { network }) })
      for (const target of targets) {
        const { cursor, rows } = await target.read({ fromCursor: null, since: deps.now() })
        const since = await orderSync(deps.db, { subject: target.subject, operator })
        if (!query.has('since')) query.set('since', since.toISOString())
        query.append('begun', [target.name, cursor ?? '', rows].join(','))
      }
      const names = targets.map(({ name }) => name).join(', ')
      await redirect(`${SYNCS}?${query.toString()}`, { message: `The sync is asked for: ${names}.` })
    },
  }
}

function begunOf(asked: URLSearchParams): Begun {
  return new Map(
    asked.getAll('begun').map((text) => {
      const [name = '', cursor, rows] = text.split(',')
      return [name, { cursor: cursor || null, rows: Number(rows) || 0 }]
    }),
  )
}

async function figuresOf(
  targets: readonly SyncTarget[],
  { begun, since, at }: { begun: Begun; since: Date; at: Date },
): Promise<{ name: string; figures: SyncFigures }[]> {
  return Promise.all(
    targets.map(async ({ name, read }) => {
      const before = begun.get(name) ?? { cursor: null, rows: 0 }
      const now = await read({ fromCursor: before.cursor, since })
      return { name, figures: syncFigures(now, { begun: before, since, at }) }
    }),
  )
}

const progressTable = (all: readonly { name: string; figures: SyncFigures }[]): Html =>
  table({
    label: 'Progress',
    columns: ['Sync', 'State', 'Done', 'Rows', 'Added', 'Rate', 'Time left'],
    numbers: ['Rows', 'Added'],
    rows: all.map(({ name, figures }) => [
      name,
      stateOf(figures),
      figures.share === null
        ? '–'
        : html`${share(figures.share)}<span class="soft">${Math.floor(100 * figures.share)} %</span>`,
      count(figures.rows),
      count(figures.added),
      rateInWords(figures),
      figures.secondsLeft === null ? '–' : duration(figures.secondsLeft),
    ]),
  })

function stateOf({ state, failure }: SyncFigures): Html {
  if (state === 'failed') return html`${badge('bad', 'failed')} <span class="soft">${failure}</span>`
  return badge(state === 'synced' ? 'good' : 'none', state)
}

const form = (csrf: Html, { subject, network }: { subject: string; network: string | undefined }): Html =>
  html`<h2>Sync now</h2>
    <form method="post" action="${SYNCS}">
      ${csrf}
      <label
        >Address of a wallet, or id of a portfolio
        <input
          name="subject"
          required
          maxlength="200"
          autocomplete="off"
          spellcheck="false"
          value="${subject}"
      /></label>
      <label
        >Network
        <input name="network" maxlength="40" autocomplete="off" value="${network ?? ''}" />
        <span class="small soft">Such as ethereum. Empty: all that fit the address</span></label
      >
      <button>Sync</button>
    </form>`

const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`

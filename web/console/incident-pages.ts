import { notFound } from '../../api/errors.ts'
import { readOperatorActions } from '../../db/console/read-actions.ts'
import {
  acknowledge,
  endSilence,
  readOpenIncidents,
  readSilences,
  silence,
} from '../../db/incidents/operator.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { minute } from '../parts/format.ts'
import { html, type Html } from '../parts/html.ts'
import { table } from '../parts/table.ts'
import type { Visit } from '../parts/visit.ts'
import { idOf } from './id-of.ts'
import { incidentsPart } from './incidents-part.ts'
import { live, liveSign } from './live.ts'
import { runbook } from './runbooks.ts'

const EVERY_S = 30
const MOST_ACTIONS = 100
const HOME = '/console/incidents'

type OperatorVisit = Visit & { subject: string }

/** What is wrong, who is told of it, and what operators did. */
export function incidentPages({ db, now }: { db: ReadonlyDb; now: () => Date }) {
  return {
    list: async ({ csrf, flash, show }: OperatorVisit) => {
      const [incidents, silences, actions] = await Promise.all([
        readOpenIncidents(db),
        readSilences(db),
        readOperatorActions(db, { limit: MOST_ACTIONS }),
      ])
      const at = now()
      show({
        title: 'Incidents',
        compressed: true,
        body: html`${await flash()} ${liveSign(at, { everySeconds: EVERY_S })}
          ${live('incidents-now', incidentsPart(incidents, { at, csrf }))}
          <h2>Silences</h2>
          ${live('silences-now', silencesPart(silences, csrf))}
          <h2>What operators did</h2>
          ${live('actions-now', actionsPart(actions))}`,
      })
    },

    acknowledge: async ({ request, redirect, subject }: OperatorVisit) => {
      const isDone = await acknowledge(db, { id: idOf(request), operator: subject })
      const message = isDone
        ? 'Acknowledged: nobody is told of it again.'
        : 'This incident has ended, or somebody has acknowledged it.'
      await redirect(HOME, { message })
    },

    silence: async ({ request, redirect, subject }: OperatorVisit) => {
      const id = idOf(request)
      const incident = (await readOpenIncidents(db)).find((one) => one.id === id)
      if (!incident) return redirect(HOME, { message: 'This incident has ended.' })
      await silence(db, {
        rule: incident.rule,
        subject: incident.subject,
        hours: 1,
        reason: 'in the console',
        operator: subject,
      })
      await redirect(HOME, { message: `Nobody is told of ${incident.rule} for an hour.` })
    },

    endSilence: async ({ request, redirect, subject }: OperatorVisit) => {
      const isDone = await endSilence(db, { id: idOf(request), operator: subject })
      await redirect(HOME, { message: isDone ? 'The silence has ended.' : 'This silence ended before.' })
    },

    runbook: ({ request, show }: OperatorVisit) => {
      const { rule } = request.params as { rule: string }
      const body = runbook(rule)
      if (body === null) throw notFound()
      show({
        title: rule,
        body: html`<p><a href="${HOME}">All incidents</a></p>
          ${body}`,
      })
      return Promise.resolve()
    },
  }
}

function silencesPart(silences: Awaited<ReturnType<typeof readSilences>>, csrf: Html): Html {
  if (silences.length === 0) return html`<p class="soft">Nothing is silenced.</p>`
  return table({
    label: 'Silences',
    columns: ['Rule', 'Subject', 'Until', 'By', 'Reason', 'End'],
    rows: silences.map(({ id, rule, subject, until, by, reason }) => [
      rule,
      subject ?? 'all',
      minute(until),
      by,
      reason,
      html`<form method="post" action="/console/silences/${id}/end">
        ${csrf}<button class="plain" aria-label="End the silence of ${rule}">End</button>
      </form>`,
    ]),
  })
}

function actionsPart(actions: Awaited<ReturnType<typeof readOperatorActions>>): Html {
  if (actions.length === 0) return html`<p class="soft">Nothing yet.</p>`
  return table({
    label: 'What operators did, the newest first',
    columns: ['When', 'Who', 'Did', 'To'],
    rows: actions.map(({ at, operator, action, subject }) => [minute(at), operator, action, subject]),
  })
}

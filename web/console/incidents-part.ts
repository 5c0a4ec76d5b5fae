import type { OpenIncident } from '../../db/incidents/operator.ts'
import { time } from '../parts/format.ts'
import { html, type Html } from '../parts/html.ts'
import { table } from '../parts/table.ts'
import { ago, badge } from './figures.ts'
import { hasRunbook } from './runbooks.ts'

/** What is wrong and what to do, each with its runbook and its buttons. */
export function incidentsPart(
  incidents: readonly OpenIncident[],
  { at, csrf }: { at: Date; csrf: Html },
): Html {
  if (incidents.length === 0) return html`<p class="soft">No rule finds anything wrong.</p>`
  return table({
    label: 'What is wrong now',
    columns: ['Rule', 'What', 'Since', 'Told', 'What to do'],
    rows: incidents.map((incident) => [
      html`${badge(incident.severity === 'page' ? 'bad' : 'odd', incident.rule)}`,
      incident.summary,
      ago(incident.firedAt, at),
      html`${incident.told.join(', ') || 'nobody'}
      ${incident.failures.map((failure) => html`<span class="soft">${failure}</span>`)}`,
      html`${
        hasRunbook(incident.rule) &&
        html`<a href="/console/runbooks/${incident.rule}">Runbook of ${incident.rule}</a>`
      }
      ${state(incident)} ${buttons(incident, csrf)}`,
    ]),
  })
}

function state({ acknowledgedBy, silencedUntil }: OpenIncident): Html | false {
  if (acknowledgedBy !== null) return html`<span class="soft">acknowledged by ${acknowledgedBy}</span>`
  return silencedUntil !== null && html`<span class="soft">silenced until ${time(silencedUntil)}</span>`
}

function buttons({ id, rule, acknowledgedBy, silencedUntil }: OpenIncident, csrf: Html): Html | false {
  if (acknowledgedBy !== null) return false
  const form = (action: string, label: string) =>
    html`<form method="post" action="/console/incidents/${id}/${action}">
      ${csrf}<button class="plain" aria-label="${label}: ${rule}">${label}</button>
    </form>`
  return html`${form('acknowledge', 'Acknowledge')}
  ${silencedUntil === null && form('silence', 'Silence for 1 hour')}`
}

import { notFound } from '../../api/errors.ts'
import { lastLines, type LogFilter, lineInWords, logProcesses } from '../../ops/telemetry/read-logs.ts'
import { html, type Html } from '../parts/html.ts'
import type { Visit } from '../parts/visit.ts'
import { live, liveSign } from './live.ts'

export const LOGS = '/console/logs'
const EVERY_S = 5
const MOST_LINES = 60
const MOST_CHARACTERS = 400

const FIELDS = [
  ['request', 'Request', 'X-Request-Id of its answer'],
  ['wallet', 'Wallet', 'Its address'],
  ['source', 'Source', 'Such as kraken'],
  ['workflow', 'Workflow', 'Its id, or that of a run'],
] as const

/** The last lines of the logs that the processes of this machine write. `folder` null: they write none. */
export const logPage =
  ({ folder, now }: { folder: string | null; now: () => Date }) =>
  async ({ request, flash, show }: Visit): Promise<void> => {
    if (folder === null) throw notFound()
    const asked = new URLSearchParams(request.url.split('?')[1])
    const filter: LogFilter = {}
    for (const name of ['process', 'request', 'wallet', 'source', 'workflow'] as const) {
      const value = asked.get(name)?.trim()
      if (value) filter[name] = value
    }
    show({
      title: 'Logs',
      body: html`${await flash()} ${liveSign(now(), { everySeconds: EVERY_S })} ${form(folder, filter)}
      ${live('lines', logLines(folder, { filter, limit: MOST_LINES }))}`,
    })
  }

/** The last lines that fit, oldest first, each cut. */
export function logLines(folder: string, options: { filter: LogFilter; limit: number }): Html {
  const lines = lastLines(folder, options).map(lineInWords)
  if (lines.length === 0) return html`<p class="soft">No line fits.</p>`
  const text = lines.map((line) =>
    line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS - 1)}…` : line,
  )
  return html`<pre tabindex="0" role="region" aria-label="Lines, the newest last">${text.join('\n')}</pre>`
}

const form = (folder: string, filter: LogFilter): Html =>
  html`<form method="get" action="${LOGS}" class="filters">
    <label
      >Process
      <select name="process">
        <option value="">all</option>
        ${logProcesses(folder).map((name) => html`<option ${name === filter.process && html` selected`}>${name}</option>`)}
      </select></label
    >
    ${FIELDS.map(([name, label, hint]) => html`<label>${label} <input name="${name}" placeholder="${hint}" value="${filter[name] ?? ''}" /></label>`)}
    <button>Show</button>
  </form>`

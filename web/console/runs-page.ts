import { type RunAttribute, RUN_STATES } from '../../db/values/run-attributes.ts'
import { html, type Html } from '../parts/html.ts'
import { table } from '../parts/table.ts'
import type { Visit } from '../parts/visit.ts'
import type { FoundWorkflow } from './failed-workflow.ts'
import { ago } from './figures.ts'
import { findRuns, NoAttributes, type RunSearch } from './find-runs.ts'
import { type Temporal, TemporalAway } from './temporal.ts'
import { WORKFLOWS, workflowPath } from './workflow-pages.ts'
import { outcome } from './workflows-part.ts'

const MOST_SHOWN = 50

const FIELDS: readonly [RunAttribute, string, string][] = [
  ['area', 'Area', 'Such as prices'],
  ['source', 'Source', 'Such as coingecko'],
  ['account', 'Account', 'Its id'],
  ['wallet', 'Wallet', 'Its address'],
  ['network', 'Network', 'Such as base'],
]

/** Runs of workflows by what they are about, the newest first. */
export const runsPage =
  ({ temporal, now }: { temporal: Temporal | null; now: () => Date }) =>
  async ({ request, flash, show }: Visit): Promise<void> => {
    const search = searchOf(request.url)
    show({
      title: 'Workflows',
      body: html`${await flash()} ${form(search)} ${await found(temporal, { search, at: now() })}`,
    })
  }

async function found(
  temporal: Temporal | null,
  { search, at }: { search: RunSearch; at: Date },
): Promise<Html> {
  if (!temporal) return problem('No Temporal server is set for the console.')
  try {
    return runsTable(await temporal.use((client) => findRuns(client, search)), at)
  } catch (error) {
    if (error instanceof TemporalAway || error instanceof NoAttributes) return problem(error.message)
    throw error
  }
}

const problem = (text: string): Html => html`<p class="panel problem">${text}</p>`

/** Runs with links to why they failed. */
function runsTable(runs: readonly FoundWorkflow[], at: Date): Html {
  if (runs.length === 0)
    return html`<p class="soft">No run is found. Temporal keeps ended ones for some days.</p>`
  return table({
    label: 'Runs, newest first',
    columns: ['Workflow', 'Type', 'Result', 'Started', 'Ended'],
    rows: runs.map(({ runId, name, type, status, startedAt, endedAt }) => [
      FAILED.has(status) ? html`<a href="${workflowPath(runId)}">${name}</a>` : name,
      type,
      outcome(status),
      ago(startedAt, at),
      endedAt ? ago(endedAt, at) : '–',
    ]),
  })
}

const FAILED: ReadonlySet<string> = new Set(['FAILED', 'TIMED_OUT', 'TERMINATED', 'CANCELLED'])

function searchOf(url: string): RunSearch {
  const asked = new URLSearchParams(url.split('?')[1])
  const search: RunSearch = { limit: MOST_SHOWN, state: RUN_STATES.find((one) => one === asked.get('state')) }
  for (const [of] of FIELDS) search[of] = asked.get(of)?.trim() || undefined
  return search
}

const form = (search: RunSearch): Html =>
  html`<form method="get" action="${WORKFLOWS}" class="filters">
    ${FIELDS.map(([name, label, hint]) => html`<label>${label} <input name="${name}" placeholder="${hint}" value="${search[name] ?? ''}" /></label>`)}
    <label
      >State
      <select name="state">
        <option value="">all</option>
        ${RUN_STATES.map((one) => html`<option ${one === search.state && html` selected`}>${one}</option>`)}
      </select></label
    >
    <button>Find</button>
  </form>`

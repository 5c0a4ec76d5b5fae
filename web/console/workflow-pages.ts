import { notFound } from '../../api/errors.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { minute } from '../parts/format.ts'
import { html, type Html } from '../parts/html.ts'
import type { Visit } from '../parts/visit.ts'
import { type FailureDetails, readFailure, runAgain } from './failed-workflow.ts'
import { logLines } from './log-pages.ts'
import { type Temporal, TemporalAway } from './temporal.ts'

export const WORKFLOWS = '/console/workflows'
const MOST_LINES = 15

export const workflowPath = (runId: string): string => `${WORKFLOWS}/${runId}`

type OperatorVisit = Visit & { subject: string }

const RESULTS = {
  started: 'It runs again, with the same input.',
  running: 'A workflow of this id runs already.',
} as const

/** Why a workflow failed, its last lines in the logs, and a button that runs it again. */
export function workflowPages(deps: { db: ReadonlyDb; temporal: Temporal | null; logFolder: string | null }) {
  const { db, temporal, logFolder } = deps
  const runIdOf = ({ request }: OperatorVisit) => (request.params as { run: string }).run

  return {
    show: async (visit: OperatorVisit) => {
      if (!temporal) throw notFound()
      const failure = await temporal
        .use((client) => readFailure(client, runIdOf(visit)))
        .catch((error: unknown) => {
          if (error instanceof TemporalAway) return undefined
          throw error
        })
      if (failure === null) throw notFound()
      visit.show({
        title: failure ? failure.type : 'Workflow',
        body: html`${await visit.flash()}
        ${
          failure === undefined
            ? html`<p class="panel problem">Temporal does not answer. Reload the page in a moment.</p>`
            : details(failure, { csrf: visit.csrf, logFolder })
        }`,
      })
    },

    runAgain: async (visit: OperatorVisit) => {
      const runId = runIdOf(visit)
      if (!temporal) throw notFound()
      const message = await temporal
        .use(async (client) => {
          const result = await runAgain({ db, client }, { runId, operator: visit.subject })
          if (result === 'gone') throw notFound()
          return RESULTS[result]
        })
        .catch((error: unknown) => {
          if (error instanceof TemporalAway) return 'Nothing was started: Temporal does not answer.'
          throw error
        })
      await visit.redirect(workflowPath(runId), { message })
    },
  }
}

function details(
  failure: FailureDetails,
  { csrf, logFolder }: { csrf: Html; logFolder: string | null },
): Html {
  const { runId, name, status, startedAt, endedAt, reasons, activity, tries } = failure
  return html`<dl class="panel">
      <dt>Workflow</dt>
      <dd>${name}</dd>
      <dt>Result</dt>
      <dd>${status.toLowerCase().replaceAll('_', ' ')}${endedAt && html`, ${minute(endedAt)}`}</dd>
      <dt>Started</dt>
      <dd>${minute(startedAt)}</dd>
      <dt>Reason</dt>
      <dd>${reasons.map((reason) => html`<p>${hidden(reason, failure)}</p>`)}</dd>
      <dt>Failed activity</dt>
      <dd>
        ${activity ?? 'none'}${tries !== null && html`, tried ${tries === 1 ? 'once' : `${tries} times`}`}
      </dd>
    </dl>
    <form method="post" action="${workflowPath(runId)}/run-again">${csrf}<button>Run it again</button></form>
    ${
      logFolder !== null &&
      html`<h2>Last lines in the logs</h2>
        ${logLines(logFolder, { filter: { workflow: runId }, limit: MOST_LINES })}`
    }`
}

/** A reason without the wallet or account that the id of the workflow names. */
function hidden(reason: string, { workflowId, name }: FailureDetails): string {
  if (workflowId === name) return reason
  const parts = workflowId.split(':').slice(1)
  return parts.filter(({ length }) => length > 20).reduce((text, part) => text.replaceAll(part, '…'), reason)
}

import { readFileSync } from 'node:fs'
import { getEventStream } from '../../api/events/get-stream.ts'
import { EVENT_TYPES } from '../../db/events/event-types.ts'
import { tailEvents, type TailedEvent } from '../../db/events/tail-events.ts'
import type { Watching } from '../../db/events/watching.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { counted } from '../parts/format.ts'
import { html, type Html } from '../parts/html.ts'
import type { AccountVisit } from './visit.ts'

export const LIVE_EVENTS_SCRIPT = '/account/live-events.js'
export const liveEventsScript = readFileSync(new URL('./live-events.js', import.meta.url), 'utf8')

const SHOWN = 20

/** The form that opens the live view. */
export const liveForm = (csrf: Html): Html =>
  html`<form method="post" action="/account/webhooks/live">
    ${csrf}
    <p>
      The live view opens a stream for ${counted(getEventStream.credits, 'credit')}. As any reader of events,
      it watches the wallets of your portfolios for three days, and their events cost credits.
    </p>
    <button class="plain">Watch events live</button>
  </form>`

/** Shows the last events of the account. With scripts, those that happen are added. */
export function livePage({ db, watching }: { db: ReadonlyDb; watching: Pick<Watching, 'openTicket'> }) {
  return async ({ account: { accountId }, show }: AccountVisit): Promise<void> => {
    const events = await tailEvents(db, { accountId, after: null, limit: SHOWN })
    const { ticket } = await watching.openTicket(accountId)
    show({
      title: 'Live events',
      script: LIVE_EVENTS_SCRIPT,
      body: html`<p><a href="/account/webhooks">All webhooks</a></p>
        <p role="status">The last events. With scripts allowed, later ones are added here.</p>
        <div class="scroll" tabindex="0" role="region" aria-label="Events">
          <table>
            <thead>
              <tr>
                <th scope="col">Number</th>
                <th scope="col">Time</th>
                <th scope="col">Type</th>
                <th scope="col">Of</th>
                <th scope="col">Status</th>
              </tr>
            </thead>
            <tbody
              data-stream="/v1/events/stream?${new URLSearchParams({ ticket }).toString()}"
              data-types="${EVENT_TYPES.join(' ')}"
            >
              ${events.toReversed().map(row)}
            </tbody>
          </table>
        </div>`,
    })
  }
}

function row({ seq, at, type, subject, body }: TailedEvent): Html {
  const { data } = JSON.parse(body) as { data: { status?: string } }
  return html`<tr>
    <td>${seq}</td>
    <td>${at.toISOString()}</td>
    <td>${type}</td>
    <td>${subject ?? ''}</td>
    <td>${data.status ?? ''}</td>
  </tr>`
}

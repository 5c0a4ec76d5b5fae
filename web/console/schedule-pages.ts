import { notFound } from '../../api/errors.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { html, type Html } from '../parts/html.ts'
import type { Visit } from '../parts/visit.ts'
import { actOnSchedule, type ScheduleAction } from './act-on-schedule.ts'
import { live, liveSign } from './live.ts'
import { type Temporal, TemporalAway } from './temporal.ts'
import { schedulesPart } from './workflows-part.ts'

export const SCHEDULES = '/console/schedules'
const EVERY_S = 10

const DONE: Record<ScheduleAction, string> = {
  pause: 'is paused until somebody resumes it.',
  resume: 'starts again when it is due.',
  trigger: 'starts now.',
}

type OperatorVisit = Visit & { subject: string }

/** Schedules with buttons that pause, resume and start them. */
export function schedulePages({
  db,
  temporal,
  now,
}: {
  db: ReadonlyDb
  temporal: Temporal | null
  now: () => Date
}) {
  const act =
    (action: ScheduleAction) =>
    async ({ request, redirect, subject }: OperatorVisit) => {
      const { id } = request.params as { id: string }
      if (!temporal) throw notFound()
      const message = await temporal
        .use(async (client) => {
          if (!(await actOnSchedule({ db, client }, { action, id, operator: subject }))) throw notFound()
          return `${id} ${DONE[action]}`
        })
        .catch((error: unknown) => {
          if (!(error instanceof TemporalAway)) throw error
          return `${id} is as it was: Temporal does not answer.`
        })
      await redirect(SCHEDULES, { message })
    }

  return {
    list: async ({ csrf, flash, show }: OperatorVisit) => {
      const state = await temporal?.read()
      const at = now()
      show({
        title: 'Schedules',
        body: html`${await flash()} ${liveSign(at, { everySeconds: EVERY_S })}
        ${live('schedules-now', schedulesPart(state, { at, buttons: (id, isPaused) => buttons(id, isPaused, csrf) }))}`,
      })
    },
    pause: act('pause'),
    resume: act('resume'),
    trigger: act('trigger'),
  }
}

function buttons(id: string, isPaused: boolean, csrf: Html): Html {
  const button = (action: ScheduleAction, text: string) =>
    html`<form method="post" action="${SCHEDULES}/${encodeURIComponent(id)}/${action}">
      ${csrf}<button class="plain" aria-label="${text} ${id}">${text}</button>
    </form>`
  return html`<div class="row">
    ${isPaused ? button('resume', 'Resume') : button('pause', 'Pause')} ${button('trigger', 'Start now')}
  </div>`
}

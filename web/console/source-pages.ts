import { badRequest, notFound } from '../../api/errors.ts'
import { type KnownSource, readSources } from '../../db/console/read-sources.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { limitSource, pauseSource } from '../../db/sources/orders.ts'
import { NODE_AREA } from '../../db/sources/settings.ts'
import { sourceState, stateInWords } from '../../db/sources/source-state.ts'
import type { Form } from '../parts/form.ts'
import { html, type Html } from '../parts/html.ts'
import type { Visit } from '../parts/visit.ts'
import { ago } from './figures.ts'
import { live, liveSign } from './live.ts'
import { type Temporal, TemporalAway } from './temporal.ts'
import { triggerSource } from './trigger-source.ts'
import { SCHEDULES } from './schedule-pages.ts'

const SOURCES = '/console/sources'
const EVERY_S = 10

export const sourcePath = (name: string): string => `${SOURCES}/${encodeURIComponent(name)}`

type OperatorVisit = Visit & { subject: string }

/** One source: how it stands, a pause, a start of what reads it, its rate and its budget. */
export function sourcePages(deps: { db: ReadonlyDb; temporal: Temporal | null; now: () => Date }) {
  const { db, temporal, now } = deps
  const nameOf = ({ request }: OperatorVisit) => (request.params as { name: string }).name

  const pause = (isPaused: boolean) => async (visit: OperatorVisit) => {
    const source = nameOf(visit)
    const isDone = await pauseSource(db, { source, isPaused, operator: visit.subject })
    const message = isPaused ? 'No worker asks it until somebody resumes it.' : 'Workers ask it again.'
    await visit.redirect(sourcePath(source), { message: isDone ? message : 'It was so before.' })
  }

  return {
    show: async (visit: OperatorVisit) => {
      const name = nameOf(visit)
      const source = (await readSources(db)).find(({ settings }) => settings.name === name)
      if (!source) throw notFound()
      const at = now()
      visit.show({
        title: name,
        body: html`${await visit.flash()} ${liveSign(at, { everySeconds: EVERY_S })}
          ${live('source-now', facts(source, at))} ${pauseForm(source, visit.csrf)}
          ${temporal && triggerForm(name, visit.csrf)}
          <h2>Rate and budget</h2>
          ${limitForm(source, visit.csrf)}
          <p>
            <a href="${SCHEDULES}">Schedules</a> start what reads it.
            <a href="/console/quarantine?source=${encodeURIComponent(name)}">Quarantined rows</a>
          </p>`,
      })
    },
    pause: pause(true),
    resume: pause(false),
    trigger: async (visit: OperatorVisit) => {
      const source = nameOf(visit)
      if (!temporal) throw notFound()
      const message = await temporal
        .use(async (client) => {
          const started = await triggerSource({ db, client }, { source, operator: visit.subject })
          return started.length > 0 ? `Started: ${started.join(', ')}.` : 'No schedule asks it.'
        })
        .catch((error: unknown) => {
          if (error instanceof TemporalAway) return 'Nothing was started: Temporal does not answer.'
          throw error
        })
      await visit.redirect(sourcePath(source), { message })
    },
    limit: async (visit: OperatorVisit) => {
      const source = nameOf(visit)
      const limits = limitsOf(visit.form)
      if (!(await limitSource(db, { source, limits, operator: visit.subject })))
        throw badRequest('There is no such source, or it is a node, whose rate NODE_BUDGETS sets.')
      await visit.redirect(sourcePath(source), { message: 'All workers keep to it within seconds.' })
    },
  }
}

function facts(source: KnownSource, at: Date): Html {
  const { settings, health, isChanged } = source
  const state = sourceState({ ...source, now: at })
  return html`<dl class="panel">
    <dt>State</dt>
    <dd>${stateInWords(settings, state)}</dd>
    <dt>Last answer</dt>
    <dd>${health?.lastSuccessAt ? ago(health.lastSuccessAt, at) : 'never'}</dd>
    <dt>Last failure</dt>
    <dd>${health?.lastFailureAt ? html`${health.lastFailure}, ${ago(health.lastFailureAt, at)}` : 'none'}</dd>
    <dt>Allowance left</dt>
    <dd>${state.budgetLeft || '–'}</dd>
    <dt>Rate and budget</dt>
    <dd>${isChanged === true ? 'changed by an operator' : 'as the worker is set'}</dd>
  </dl>`
}

function pauseForm({ settings: { name }, isHeld }: KnownSource, csrf: Html): Html {
  const [action, text] = isHeld === true ? ['resume', 'Resume'] : ['pause', 'Pause']
  return html`<form method="post" action="${sourcePath(name)}/${action}">
    ${csrf}<button aria-label="${text} ${name}">${text}</button>
  </form>`
}

/** Starts the schedules that ask a source. */
const triggerForm = (name: string, csrf: Html): Html =>
  html`<form method="post" action="${sourcePath(name)}/trigger">
    ${csrf}<button class="plain" aria-label="Run now what asks ${name}">Run now</button>
  </form>`

function limitForm({ settings }: KnownSource, csrf: Html): Html {
  const { name, area, requestsPerSecond, burst, quota } = settings
  const field = (id: string, label: string, value: number | null, step: string) =>
    html`<label
      >${label} <input name="${id}" type="number" min="0" step="${step}" value="${value ?? ''}"
    /></label>`
  return html`<form method="post" action="${sourcePath(name)}/limit">
    ${csrf}
    ${
      area === NODE_AREA
        ? html`<p class="soft">The rate of a node is that of its plan: see NODE_BUDGETS.</p>`
        : html`${field('rate', 'Requests a second', requestsPerSecond, 'any')}
          ${field('burst', 'Requests at once', burst, '1')}`
    }
    ${field('units', `Budget in ${quota?.unit ?? 'requests'}`, quota?.units ?? null, '1')}
    <label
      >for each
      <select name="per">
        ${['month', 'day'].map((per) => html`<option ${per === quota?.per && html` selected`}>${per}</option>`)}
      </select></label
    >
    <p class="soft">What is empty is as the worker is set.</p>
    <button>Change rate and budget</button>
  </form>`
}

/** Empty fields are null: as the worker is set. */
function limitsOf(form: Form): Parameters<typeof limitSource>[1]['limits'] {
  const number = (name: string, isFit: (value: number) => boolean, words: string) => {
    const text = form.text(name)
    if (text === '') return null
    const value = Number(text)
    if (!isFit(value)) throw badRequest(`${words}, not "${text}".`)
    return value
  }
  const requestsPerSecond = number(
    'rate',
    (value) => value > 0 && value <= 10_000,
    'Requests a second are more than 0 and at most 10000',
  )
  const whole = (least: number) => (value: number) =>
    Number.isSafeInteger(value) && value >= least && value <= 2 ** 31 - 1
  const burst = number('burst', whole(1), 'Requests at once are a whole number from 1 on')
  const units = number('units', whole(0), 'A budget is a whole number')
  const per = form.text('per') === 'day' ? 'day' : 'month'
  return { requestsPerSecond, burst, quota: units === null ? null : { units, per } }
}

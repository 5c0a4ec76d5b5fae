import { duration } from '../../db/values/duration.ts'
import { usdcOf } from '../../db/values/usdc.ts'
import { tableText } from '../print.ts'
import { sourceLine } from '../source-line.ts'
import type { Status } from './read-status.ts'

const MARKS = { good: 'ok  ', odd: 'warn', bad: 'FAIL', none: '    ' } as const

/** Formats the status as one screen: the summary first, then the details. */
export function statusText(status: Status): string {
  const { at, services, database, figures, sources, workflows, openPayments, exportedAt } = status
  const ago = (instant: Date) => `${duration((at.getTime() - instant.getTime()) / 1_000)} ago`
  const until = (instant: Date) => `in ${duration(Math.max(0, (instant.getTime() - at.getTime()) / 1_000))}`
  const nameWidth = Math.max(...figures.map(({ name }) => name.length))
  const figureWidth = Math.max(...figures.map(({ figure }) => figure.length))
  const down = services?.filter(({ running }) => !running) ?? []
  const parts = [
    `Sluice at ${at.toISOString()}`,
    figures
      .map(
        ({ name, figure, detail, mood }) =>
          `${MARKS[mood]}  ${name.padEnd(nameWidth)}  ${figure.padEnd(figureWidth)}  ${detail}`,
      )
      .join('\n'),
    [
      ...(services
        ? [
            `${MARKS[down.length > 0 ? 'bad' : 'good']}  Services    ${services.map(({ name, running, port }) => `${name}${port === null ? '' : `:${port}`}${running ? '' : ' DOWN'}`).join(' ')}`,
          ]
        : []),
      `${MARKS[database.problem ? 'bad' : 'good']}  Database    Postgres ${database.version}, ${database.megabytes} MB, schema ${database.problem ?? database.migration}`,
      `${MARKS.none}  Export      ${exportedAt ? ago(exportedAt) : 'none yet; "sluice export" writes one'}`,
      `${MARKS[openPayments.length > 0 ? 'odd' : 'good']}  Payments    ${openPayments.length} open${openPayments[0] ? `, the oldest ${ago(openPayments[0].claimedAt)}, ${usdcOf(openPayments.reduce((sum, { amount }) => sum + BigInt(amount), 0n))} USDC` : ''}`,
    ].join('\n'),
    tableText(
      sources
        .filter(({ state }) => state.state !== 'off')
        .map(({ settings, health, isHeld = false }) => {
          const {
            source,
            state,
            lag,
            target,
            'errors 24 h': errors,
            'budget left': budget,
          } = sourceLine({
            settings,
            health,
            isHeld,
            now: at,
          })
          return { source, state, lag, target, 'errors 24 h': errors, 'budget left': budget }
        }),
    ),
  ]
  if (!workflows)
    return [...parts, 'Temporal does not answer: the state of schedules and workflows is unknown'].join(
      '\n\n',
    )
  const { schedules, runningByType, failed, queues } = workflows
  parts.push(
    tableText(
      schedules.map((one) => ({
        schedule: one.id,
        state: one.waitsForFirstRun ? 'first run' : one.isPaused ? 'paused' : 'active',
        every: duration(one.everySeconds),
        last: one.lastAt ? ago(one.lastAt) : 'never',
        result: one.lastStatus?.toLowerCase() ?? '',
        next: one.isPaused || one.waitsForFirstRun || !one.nextAt ? '' : until(one.nextAt),
      })),
    ),
    tableText(
      queues.map(({ name, waiting, oldestSeconds, workers }) => ({
        'task queue': name,
        waiting,
        oldest: oldestSeconds === null ? '' : duration(oldestSeconds),
        workers,
      })),
    ),
    `Running: ${runningByType.map(({ type, count }) => `${type} ${count}`).join(', ') || 'nothing'}`,
  )
  if (failed.length > 0)
    parts.push(
      `Failed in the last 24 hours:\n${tableText(
        failed.map(({ type, name, status: result, endedAt }) => ({
          type,
          name,
          result: result.toLowerCase(),
          ended: endedAt ? ago(endedAt) : '',
        })),
      )}`,
    )
  return parts.join('\n\n')
}

import { readIngestConfig } from '../activities/config.ts'
import { type PlannedAsking, type PlannedSource, planRequests } from '../activities/plan-requests.ts'
import { allSourceSettings } from '../activities/source-settings.ts'
import type { Db } from '../db/schema.ts'
import { duration } from '../db/values/duration.ts'
import { tableText } from './print.ts'

/** What sources are asked for in a day, with these settings and what is stored (`db` of null: what is usual). */
export const sourcePlan = (db: Db | null, env: Record<string, string | undefined>) =>
  planRequests(db, { config: readIngestConfig(env), settings: allSourceSettings(env) })

/** The plan for people: what it is for, a line for each thing that is read, and what does not fit. */
export function sourcePlanText({ counts, sources }: Awaited<ReturnType<typeof planRequests>>): string {
  const kept = Object.entries(counts).filter(([, count]) => count > 0)
  const found = kept.map(([what, count]) => `${count.toLocaleString('en')} ${what}`).join(', ')
  const text = `For ${found || 'nothing yet'}:\n${tableText(sources.flatMap(sourceRows))}`
  return [text, ...sources.flatMap(warningsOf)].join('\n')
}

/** A line for each allowance that does not bear the wallets, with what their number costs. */
function warningsOf({ source, askings }: PlannedSource): string[] {
  return askings.flatMap(({ what, items, seconds, borne, plannedSeconds }) => {
    if (items === undefined || seconds === null || borne > 0.999) return []
    const fit = Math.floor(items * borne)
    const freshness =
      plannedSeconds === null ? 'are not read again' : `are read each ${duration(plannedSeconds)}`
    return [
      `${source} bears ${fit} of ${items} (${what}) each ${duration(seconds)}: all of them ${freshness}. Fewer wallets or a larger plan keep them fresh.`,
    ]
  })
}

function sourceRows(planned: PlannedSource) {
  return planned.askings.map((asking, index) => ({
    source: index === 0 ? planned.source : '',
    'asked for': asking.what,
    requests: Math.ceil(asking.requests),
    'units a day, of': index === 0 ? dayText(planned) : '',
    freshness: freshnessText(asking),
    cut: cutText(asking),
  }))
}

const count = (value: number) => Math.ceil(value).toLocaleString('en')

function dayText({ units, unit, allowance }: PlannedSource): string {
  return allowance === null ? count(units) : `${count(units)} of ${count(allowance)} ${unit}`
}

function freshnessText({ seconds, plannedSeconds }: PlannedAsking): string {
  if (plannedSeconds === null) return 'never'
  return seconds === null ? `once, within ${duration(plannedSeconds)}` : duration(plannedSeconds)
}

function cutText({ seconds, borne }: PlannedAsking): string {
  if (seconds === null || borne > 0.999) return ''
  return `${Math.round(100 * (1 - borne))} %, instead of each ${duration(seconds)}`
}

import type { AreaSpec } from '../../activities/area.ts'
import type { SourcePlan } from '../../activities/ingest-config.ts'

/**
 * What an area asks in one run before it has stored anything, by what it reads: `source what`. `plans`: of its sources;
 * the others are off.
 */
export async function askedBy(
  area: AreaSpec,
  plans: Record<string, SourcePlan>,
): Promise<Record<string, number>> {
  const requests = await area.requests!()
  const { askings } = await requests(null, {
    planOf: (name) => plans[name] ?? null,
    isFollowed: () => false,
    nodeOf: () => null,
    schedule: (id) => area.schedules.find((one) => one.id === id)!,
  })
  return Object.fromEntries(
    askings.map(({ source, what, requests: aDay, seconds }) => [
      `${source} ${what}`,
      Number(((aDay * (seconds ?? 86_400)) / 86_400).toFixed(6)),
    ]),
  )
}

import { machineLine } from './machine.ts'
import { median } from './pairs.ts'

/** One row of the table. Higher is better, unless `lessIsBetter`. */
export interface Ratio {
  id: string
  name: string
  /** one value per pair; empty if `missing` is set */
  values: readonly number[]
  floor: number
  goal: number
  lessIsBetter?: boolean
  /** why there is no ratio: the peer is unavailable, or a check failed */
  missing?: string
}

interface Report {
  title: string
  ratios: readonly Ratio[]
  raw: readonly (readonly [what: string, figures: string])[]
  /** why the ratios are not judged; null: they are judged */
  busy: string | null
  json: boolean
}

/**
 * Prints the table, and with `json` an object of the medians, goals and floors on the last line. A ratio below
 * its floor fails the run, and with `json` also a missing one.
 */
export function printReport({ title, ratios, raw, busy, json }: Report): void {
  const lines = [
    '',
    `${title}; ${machineLine()}`,
    '',
    '| ratio | median | lowest | highest | pairs | floor | goal | |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...ratios.map((ratio) => `| ${ratio.id} ${ratio.name} | ${cells(ratio)} | ${verdict(ratio, busy)} |`),
    '',
    '| raw figure | |',
    '| --- | --- |',
    ...raw.map(([what, figures]) => `| ${what} | ${figures} |`),
    '',
  ]
  console.log(lines.join('\n'))
  if (busy) console.log(`Not judged: ${busy}.\n`)
  else if (ratios.some((ratio) => ratio.missing === undefined && !reaches(ratio, ratio.floor)))
    process.exitCode = 1
  if (!json) return
  const missing = ratios.filter((ratio) => ratio.missing !== undefined)
  if (missing.length > 0) process.exitCode = 1
  const known = ratios.filter((ratio) => !missing.includes(ratio))
  console.log(
    JSON.stringify({
      ...Object.fromEntries(known.map(({ id, values }) => [id, median(values)])),
      ...(missing.length > 0 && { missing: Object.fromEntries(missing.map((one) => [one.id, one.missing])) }),
      lines: Object.fromEntries(ratios.map(({ id, goal, floor }) => [id, { goal, floor }])),
      judged: busy === null,
    }),
  )
}

function reaches({ values, lessIsBetter = false }: Ratio, bound: number): boolean {
  const value = median(values)
  return lessIsBetter ? value <= bound : value >= bound
}

function cells({ values, missing, floor, goal }: Ratio): string {
  const figures =
    missing === undefined
      ? [median(values), Math.min(...values), Math.max(...values)].map(short)
      : ['', '', '']
  return [...figures, values.length, floor, goal].join(' | ')
}

function verdict(ratio: Ratio, busy: string | null): string {
  if (ratio.missing !== undefined) return `no ratio: ${ratio.missing}`
  if (busy) return 'not judged'
  if (reaches(ratio, ratio.goal)) return 'goal reached'
  return reaches(ratio, ratio.floor) ? 'above the floor' : 'BELOW THE FLOOR'
}

/** Why a peer is unavailable, in one line. */
export function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error)
  return reason.replaceAll(/\s+/g, ' ').slice(0, 300)
}

export const short = (value: number) => value.toFixed(value < 10 ? 2 : 1)
export const perSecond = (value: number) => `${Math.round(value).toLocaleString('en')}/s`

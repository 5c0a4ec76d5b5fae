import { machineLine } from './machine.ts'
import { median } from './pairs.ts'

/** One row of the table. Higher is better. */
export interface Ratio {
  id: string
  name: string
  /** one value per pair; empty if `missing` is set */
  values: readonly number[]
  floor: number
  goal: number
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
 * Prints the table, and with `json` an object of the medians on the last line. A ratio below its floor fails
 * the run.
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
  else if (ratios.some((ratio) => ratio.missing === undefined && median(ratio.values) < ratio.floor))
    process.exitCode = 1
  if (!json) return
  const medians = ratios.map(({ id, values, missing }) => [id, missing === undefined ? median(values) : null])
  console.log(JSON.stringify({ ...Object.fromEntries(medians), judged: busy === null }))
}

function cells({ values, missing, floor, goal }: Ratio): string {
  const figures =
    missing === undefined
      ? [median(values), Math.min(...values), Math.max(...values)].map(short)
      : ['', '', '']
  return [...figures, values.length, floor, goal].join(' | ')
}

function verdict({ values, missing, floor, goal }: Ratio, busy: string | null): string {
  if (missing !== undefined) return `no ratio: ${missing}`
  if (busy) return 'not judged'
  const value = median(values)
  return value >= goal ? 'goal reached' : value >= floor ? 'above the floor' : 'BELOW THE FLOOR'
}

export const short = (value: number) => value.toFixed(value < 10 ? 2 : 1)
export const perSecond = (value: number) => `${Math.round(value).toLocaleString('en')}/s`

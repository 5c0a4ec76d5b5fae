import type { Section, Variable } from '../ops/settings/variable.ts'
import { SECTIONS } from '../ops/settings/variables.ts'

const HEADS = ['Variable', 'Default', 'Read by', 'Meaning']

/** docs/configuration.md with its tables made anew: under the heading of each section stand its variables. */
export function printConfiguration(page: string): string {
  const parts = page.split(/^(?=##+ )/m)
  for (const [heading, section] of Object.entries(SECTIONS)) {
    const i = parts.findIndex((part) => part.replace(/^#+ /, '').startsWith(`${heading}\n`))
    if (i < 0 || !TABLE.test(parts[i]!))
      throw new Error(`docs/configuration.md needs a heading "${heading}" with a table below it`)
    parts[i] = parts[i]!.replace(TABLE, () => tableOf(section))
  }
  return parts.join('')
}

const TABLE = /^\|.*\|$(\n\|.*\|$)+/m

function tableOf(section: Section): string {
  const rows = Object.entries(section).map(([name, { readBy, text, ...of }]) => [
    `\`${name}\``,
    defaultOf(of),
    readBy,
    text,
  ])
  const widths = HEADS.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i]!.length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`
  return [line(HEADS), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

const defaultOf = ({ shown, default: value }: Pick<Variable, 'shown' | 'default'>): string =>
  shown ?? (value === undefined ? 'none' : `\`${value}\``)

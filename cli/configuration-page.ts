import { AREAS } from '../activities/all-areas.ts'
import type { SourceSpec } from '../activities/area.ts'
import type { Section, Variable } from '../ops/settings/variable.ts'
import { SECTIONS } from '../ops/settings/variables.ts'

/** Returns docs/configuration.md with fresh tables: the variables of each section stand under its heading. */
export function printConfiguration(page: string): string {
  const parts = page.split(/^(?=##+ )/m)
  const tables = Object.entries(SECTIONS).map(([heading, section]) => [heading, tableOf(section)] as const)
  for (const [heading, table] of [...tables, ['Sources', sourceTable()] as const]) {
    const i = parts.findIndex((part) => part.replace(/^#+ /, '').startsWith(`${heading}\n`))
    if (i < 0 || !TABLE.test(parts[i]!))
      throw new Error(`docs/configuration.md needs a heading "${heading}" with a table below it`)
    parts[i] = parts[i]!.replace(TABLE, () => table)
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
  return print(['Variable', 'Default', 'Read by', 'Meaning'], rows)
}

const defaultOf = ({ shown, default: value }: Pick<Variable, 'shown' | 'default'>): string =>
  shown ?? (value === undefined ? 'none' : `\`${value}\``)

/** Lists the variables of each source, then those that work for every network and source. */
function sourceTable(): string {
  const rows = AREAS.flatMap(({ sources }) => sources).flatMap(sourceRows)
  const node =
    'JSON-RPC nodes of a network, comma-separated in order of preference, for example `RPC_URL_ETHEREUM`, `RPC_URL_BASE_WALLET`. With live sources, public nodes are asked where this is not set: [which](operator.md#nodes). A network without a node is off'
  const allowance = 'Requests per second of a source, shared by all workers, for example `COINGECKO_RPS`'
  rows.push(
    ['`RPC_URL_<NETWORK>`', 'none', '', node],
    ['`<SOURCE>_RPS`', "the upstream's free allowance", '', allowance],
  )
  return print(['Variable', 'Default', 'Key needed', 'Meaning'], rows)
}

function sourceRows(source: SourceSpec): string[][] {
  const { urlVariable, defaultUrl, key, meaning, keyMeaning = '' } = source
  const url = [`\`${urlVariable}\``, defaultUrl === null ? 'none' : `\`${defaultUrl}\``, '', meaning]
  if (!key) return [url]
  return [url, [`\`${key.variable}\``, 'none', key.isRequired ? 'yes' : 'no', keyMeaning]]
}

function print(heads: readonly string[], rows: readonly string[][]): string {
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i]!.length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`
  return [line(heads), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

import { AREAS } from '../activities/all-areas.ts'
import type { SourceSpec } from '../activities/area.ts'
import type { Section, Variable } from '../ops/settings/variable.ts'
import { SECTIONS } from '../ops/settings/variables.ts'
import { printTable, replaceTables } from './page-tables.ts'

/** Returns docs/configuration.md with fresh tables: the variables of each section stand under its heading. */
export function printConfiguration(page: string): string {
  const tables = Object.entries(SECTIONS).map(([heading, section]) => [heading, tableOf(section)] as const)
  return replaceTables(page, Object.fromEntries([...tables, ['Sources', sourceTable()]]))
}

function tableOf(section: Section): string {
  const rows = Object.entries(section).map(([name, { readBy, text, ...of }]) => [
    `\`${name}\``,
    defaultOf(of),
    readBy,
    text,
  ])
  return printTable(['Variable', 'Default', 'Read by', 'Meaning'], rows)
}

const defaultOf = ({ shown, default: value }: Pick<Variable, 'shown' | 'default'>): string =>
  shown ?? (value === undefined ? 'none' : `\`${value}\``)

/** Lists the variables of each source, then those that work for every network and source. */
function sourceTable(): string {
  const sources = AREAS.flatMap((area) => area.sources)
  const rows = sources.flatMap((source, i) => {
    const isListed = sources.slice(0, i).some(({ key }) => key && key.variable === source.key?.variable)
    return sourceRows(source).slice(0, isListed ? 1 : 2)
  })
  const node =
    'JSON-RPC nodes of a network, comma-separated in order of preference, for example `RPC_URL_ETHEREUM`, `RPC_URL_BASE_WALLET`. With live sources, public nodes are asked where this is not set: [which](operator.md#nodes). A network without a node is off'
  const allowance = 'Requests per second of a source, shared by all workers, for example `COINGECKO_RPS`'
  rows.push(
    ['`RPC_URL_<NETWORK>`', 'none', '', node],
    ['`<SOURCE>_RPS`', "the upstream's free allowance", '', allowance],
  )
  return printTable(['Variable', 'Default', 'Key needed', 'Meaning'], rows)
}

function sourceRows(source: SourceSpec): string[][] {
  const { urlVariable, defaultUrl, key, meaning, keyMeaning = '' } = source
  const url = [`\`${urlVariable}\``, defaultUrl === null ? 'none' : `\`${defaultUrl}\``, '', meaning]
  if (!key) return [url]
  return [url, [`\`${key.variable}\``, 'none', key.isRequired ? 'yes' : 'no', keyMeaning]]
}

import { DATASETS } from './datasets.ts'
import { fieldsOf } from './fields.ts'
import { VIEWS } from './views.ts'

const HEAD = `# Data dictionary

Every view of \`catalog.duckdb\` with its columns, as [exports.md](exports.md) explains them. Made by \`sluice export dictionary\`
from \`export/\`: do not edit. Times are UTC. "One file a month" names the column whose month it is.
`

/** The page that describes every view of the catalog: docs/data-dictionary.md. */
export function printDictionary(): string {
  const families = Map.groupBy(DATASETS, ({ family }) => family)
  const sections = [...families].map(([family, datasets]) =>
    [
      `## ${family}`,
      ...datasets.map((dataset) => {
        const files = dataset.month === null ? 'One file' : `One file a month of \`${dataset.month}\``
        const order = dataset.sort.map((name) => `\`${name}\``).join(', ')
        const rows = fieldsOf(dataset).map(({ name, type, comment }) => row(name, type, comment))
        return `### ${dataset.name}\n\n${dataset.description} ${files}, in the order of ${order}.\n\n${table(rows)}`
      }),
    ].join('\n\n'),
  )
  const views = VIEWS.map(({ name, description, columns }) => {
    const rows = Object.entries(columns).map(([column, comment]) => row(column, '', comment))
    return `### ${name}\n\n${description}\n\n${table(rows)}`
  })
  return `${[HEAD.trimEnd(), ...sections, '## Views of several datasets', ...views].join('\n\n')}\n`
}

const table = (rows: readonly string[]): string =>
  ['| Column | Type | Meaning |', '| --- | --- | --- |', ...rows].join('\n')

const row = (name: string, type: string, comment: string): string =>
  `| \`${name}\` | ${type} | ${comment.replaceAll('|', '\\|').replaceAll('<', '&lt;')} |`

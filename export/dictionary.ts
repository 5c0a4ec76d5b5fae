import type { Dataset } from './dataset.ts'
import { DATASETS } from './datasets.ts'
import { fieldsOf } from './fields.ts'
import { QUESTIONS } from './questions.ts'
import { type View, VIEWS } from './views.ts'

const HEAD = `# Data dictionary

Every view of \`catalog.duckdb\` with its columns; [analyst.md](analyst.md) explains their use. Generated from \`export/\` by
\`sluice export dictionary\`: do not edit. Times are UTC. "Files by year" names the column that decides the year, and how large
years are cut.
`

/** Prints docs/data-dictionary.md, which describes every view of the catalog. */
export function printDictionary(): string {
  const families = Map.groupBy(DATASETS, ({ family }) => family)
  const sections = [...families].map(([family, datasets]) =>
    [
      `## ${family}`,
      ...datasets.map((dataset) => {
        const files = filesOf(dataset)
        const order = dataset.sort.map((name) => `\`${name}\``).join(', ')
        const rows = fieldsOf(dataset).map(({ name, type, comment }) => row(name, type, comment))
        return `### ${dataset.name}\n\n${dataset.description} ${files}, in the order of ${order}.\n\n${table(rows)}`
      }),
    ].join('\n\n'),
  )
  const several = [
    '## Views of several datasets',
    ...VIEWS.map(viewSection),
    '## Questions',
    'Views that answer questions, each with the figures of the endpoint that it names. Their queries are in `export/questions/`.',
    ...QUESTIONS.map(viewSection),
  ]
  return `${[HEAD.trimEnd(), ...sections, ...several].join('\n\n')}\n`
}

function viewSection({ name, description, columns }: View): string {
  const rows = Object.entries(columns).map(([column, comment]) => row(column, '', comment))
  return `### ${name}\n\n${description}\n\n${table(rows)}`
}

function filesOf({ cut }: Dataset): string {
  if (cut === null) return 'One file'
  const parts = cut.key === undefined ? 'days' : `\`${cut.key}\``
  return `Files by year of \`${cut.at}\` and ${parts}`
}

const table = (rows: readonly string[]): string =>
  ['| Column | Type | Meaning |', '| --- | --- | --- |', ...rows].join('\n')

const row = (name: string, type: string, comment: string): string =>
  `| \`${name}\` | ${type} | ${comment.replaceAll('|', '\\|').replaceAll('<', '&lt;')} |`

import type { Dataset } from './dataset.ts'
import { fieldsOf } from './fields.ts'
import { QUESTIONS } from './questions.ts'
import { VIEWS } from './views.ts'

export const DBT_SOURCES = 'dbt-sources.yml'

/**
 * Returns the file that describes every view of the catalog to dbt: a source `sluice`, whose database is the
 * catalog attached under that name.
 */
export function printDbtSources(datasets: readonly Dataset[]): string {
  const tables = [
    ...datasets.map((dataset) => ({
      ...dataset,
      columns: fieldsOf(dataset).map(({ name, type, comment }) => ({ name, type, comment })),
    })),
    ...[...VIEWS, ...QUESTIONS].map(({ columns, ...view }) => ({
      ...view,
      columns: Object.entries(columns).map(([name, comment]) => ({ name, type: null, comment })),
    })),
  ]
  const lines = [
    'version: 2',
    'sources:',
    '  - name: sluice',
    '    database: sluice',
    '    schema: main',
    '    tables:',
    ...tables.flatMap(({ name, description, columns }) => [
      `      - name: ${name}`,
      `        description: ${quoted(description)}`,
      '        columns:',
      ...columns.flatMap((column) => [
        `          - name: ${column.name}`,
        `            description: ${quoted(column.comment)}`,
        ...(column.type === null ? [] : [`            data_type: ${quoted(column.type)}`]),
      ]),
    ]),
  ]
  return `${lines.join('\n')}\n`
}

/** A string of JSON is one of YAML. dbt would run what stands in double braces. */
const quoted = (text: string): string => JSON.stringify(text.replaceAll('{{', '{ {').replaceAll('{%', '{ %'))

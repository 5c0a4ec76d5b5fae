import { changeInWords, type SourceChange } from '../../db/console/read-changes.ts'
import { count } from '../parts/format.ts'
import { html, type Html } from '../parts/html.ts'
import { table } from '../parts/table.ts'
import { ago } from './figures.ts'

/** Shows fields in the answers of sources that have changed; nothing where there are none. */
export function changesPart(changes: readonly SourceChange[], at: Date): Html {
  if (changes.length === 0) return html``
  return html`<h3>Answers that have changed</h3>
    ${table({
      label: 'Answers that have changed',
      columns: ['Source', 'Operation', 'Field', 'Change', 'Answers', 'Since'],
      numbers: ['Answers'],
      rows: changes.map((change) => [
        change.source,
        change.operation,
        html`<code>${change.field}</code>`,
        changeInWords(change),
        count(change.answers),
        ago(change.since, at),
      ]),
    })}`
}

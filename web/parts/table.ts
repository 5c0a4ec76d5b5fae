import { html, type Html } from './html.ts'

type Cell = Html | string | number | null | undefined | false

/** A table that becomes a list of rows on narrow screens. The first cell is the row header. */
export function table(facts: {
  label: string
  columns: readonly string[]
  rows: readonly (readonly Cell[])[]
  /** Names of the columns that hold numbers. */
  numbers?: readonly string[]
}): Html {
  const { label, columns, rows, numbers = [] } = facts
  const sort = (name: string) => numbers.includes(name) && html` class="number"`
  return html`<table class="stack" aria-label="${label}">
    <thead>
      <tr>
        ${columns.map((name) => html`<th scope="col" ${sort(name)}>${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([first, ...cells]) =>
          html`<tr>
            <th scope="row">${first}</th>
            ${cells.map((cell, i) => html`<td data-name="${columns[i + 1]}" ${sort(columns[i + 1]!)}>${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`
}

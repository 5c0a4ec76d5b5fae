/** What a spreadsheet would take for a formula, quoted or not. Numbers are none. */
const FORMULA = /^'*(?:[=+@\t\r]|-(?!\d+(\.\d+)?$))/

/** A line of a CSV file (RFC 4180). A text that a spreadsheet would run is quoted for it. */
export const csvLine = (fields: readonly (string | number | null | undefined)[]): string =>
  `${fields.map(field).join(',')}\r\n`

/** The text of a field before it was quoted for spreadsheets. */
export const unquoted = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text

function field(value: string | number | null | undefined): string {
  const text = String(value ?? '')
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

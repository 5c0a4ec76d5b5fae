const IN_TERMINAL = '; Ctrl-C stops everything'

/** The last line of a start, once everything is up. */
export const readyLine = (apiUrl: string): string => `${apiUrl} is up${IN_TERMINAL}`

/** The text of a ready line that also holds without a terminal; null: it is another line. */
export function readyIn(line: string): string | null {
  return line.endsWith(IN_TERMINAL) ? line.slice(0, -IN_TERMINAL.length) : null
}

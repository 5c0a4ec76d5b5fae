/**
 * Values that vary: an instant, a UUID, a hash or address, a number with a decimal point or more than three
 * digits.
 */
const VARYING = [
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/,
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/,
  /(?:0x)?[0-9a-f]{16,}/,
  /-?\d+\.\d+(?:e-?\d+)?|-?\d{1,3}(?:,\d{3})+|-?\d{4,}/,
]
const ANYTHING = /\.\.\.|…/
/** The width of table lines depends on the longest cell. */
const SPACE = /[\s─]+/
const PART = new RegExp([ANYTHING, SPACE, ...VARYING].map(({ source }) => `(${source})`).join('|'), 'g')

/**
 * Whether the output of a command matches the page. Words and integers below 1,000, such as statuses and
 * credit prices, must be equal. Varying values only need the same kind. `...` matches anything, including
 * lines.
 */
export function isShown(shown: string, printed: string): boolean {
  let pattern = ''
  let copied = 0
  for (const { 0: part, index } of shown.trim().matchAll(PART)) {
    pattern += escape(shown.trim().slice(copied, index)) + patternOf(part)
    copied = index + part.length
  }
  pattern += escape(shown.trim().slice(copied))
  return new RegExp(`^${pattern}$`, 's').test(printed.trim())
}

function patternOf(part: string): string {
  if (whole(ANYTHING).test(part)) return '.*'
  if (whole(SPACE).test(part)) return '[\\s─]+'
  const kind = VARYING.find((varying) => whole(varying).test(part))!
  // A varying number may have no decimal point or fewer digits today.
  return kind === VARYING.at(-1) ? '-?[\\d,]+(?:\\.\\d+)?(?:e-?\\d+)?' : `(?:${kind.source})`
}

const whole = (pattern: RegExp) => new RegExp(`^(?:${pattern.source})$`)
const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

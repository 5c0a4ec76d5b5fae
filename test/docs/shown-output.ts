/** What is another one each time: an instant, a UUID, a hash or an address, a number with a point or over three digits. */
const VARYING = [
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/,
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/,
  /(?:0x)?[0-9a-f]{16,}/,
  /-?\d+\.\d+(?:e-?\d+)?|-?\d{1,3}(?:,\d{3})+|-?\d{4,}/,
]
const ANYTHING = /\.\.\.|…/
/** The lines of a table are as wide as its longest cell. */
const SPACE = /[\s─]+/
const PART = new RegExp([ANYTHING, SPACE, ...VARYING].map(({ source }) => `(${source})`).join('|'), 'g')

/**
 * Whether a command printed what a page shows of it. Held as they are: words, and whole numbers below 1,000, such as
 * statuses and prices in credits. Of what varies only the kind counts; `...` stands for anything, also for lines.
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
  // The number that another one is today may have no point, or fewer digits.
  return kind === VARYING.at(-1) ? '-?[\\d,]+(?:\\.\\d+)?(?:e-?\\d+)?' : `(?:${kind.source})`
}

const whole = (pattern: RegExp) => new RegExp(`^(?:${pattern.source})$`)
const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

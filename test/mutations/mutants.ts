import { stripTypeScriptTypes } from 'node:module'

/** One changed line of a file. */
export interface Mutant {
  file: string
  /** Line number, from 1. */
  line: number
  before: string
  after: string
}

/**
 * Replacements that change the meaning of a line. Numbers stay, because most are limits that no test checks
 * exactly.
 */
const SWAPS: readonly (readonly [RegExp, string])[] = [
  [/===/g, '!=='],
  [/!==/g, '==='],
  [/ < /g, ' >= '],
  [/ <= /g, ' > '],
  [/ > /g, ' <= '],
  [/ >= /g, ' < '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  // Not those of `select * from`.
  [/(?<!\bselect) \* /g, ' / '],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/\.some\(/g, '.every('],
  [/\.every\(/g, '.some('],
  [/Math\.min\(/g, 'Math.max('],
  [/Math\.max\(/g, 'Math.min('],
  [/\bif \(!/g, 'if ('],
  // Not in front of a comparison: the compiler refuses `!a === b`, whatever is tested.
  [/\bif \((?!!)(?![^&|\n]* (?:===|!==|[<>]=?) )/g, 'if (!'],
]

/** Replacements in SQL, also inside TypeScript. */
const SQL_SWAPS: readonly (readonly [RegExp, string])[] = [
  [/\bis null\b/g, 'is not null'],
  [/\bis not null\b/g, 'is null'],
  [/\bnot exists\b/g, 'exists'],
  [/(?<!not )\bexists \(/g, 'not exists ('],
  [/ and /g, ' or '],
  // Of "create or replace" it would be no SQL, which any test notices.
  [/ or (?!replace )/g, ' and '],
  [/ desc\b/g, ' asc'],
  [/\bleast\(/g, 'greatest('],
  [/\bgreatest\(/g, 'least('],
  [/\bmin\(/g, 'max('],
  [/\bmax\(/g, 'min('],
  // In `set a = b` it would be no SQL.
  [/(?<![<>!:=]|\bset \w+) = (?!>|excluded\.)/g, ' <> '],
  [/ <> /g, ' = '],
]

const COMMENT = /^\s*(\/\/|\/?\*|--)/
const TEXT = /'[^']* (and|or) [^']*'|^\s*(import|export \{)/
const HELP = /^\s*(help|description|summary|message|name|title):|\b(Error|throw|refuse\w*|reject\w*)\b/

/** All one-line changes of a file that still parse. Comments, messages and types are skipped. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const lines = text.split('\n')
  const isSql = file.endsWith('.sql')
  const code = isSql ? null : withoutTypes(text)
  const isInSql = isSql ? lines.map(() => true) : linesOfSql(lines)
  return lines.flatMap((before, index) => {
    if (COMMENT.test(before) || (!isInSql[index] && (TEXT.test(before) || HELP.test(before)))) return []
    const found = isInSql[index] ? [...SQL_SWAPS, ...SWAPS.slice(2, 13)] : SWAPS
    return found
      .flatMap(([pattern, to]) =>
        [...before.matchAll(pattern)].map(
          ({ index: at, 0: from }) => before.slice(0, at) + to + before.slice(at + from.length),
        ),
      )
      .filter((after) => code === null || changesCode(code, lines.with(index, after).join('\n')))
      .map((after) => ({ file, line: index + 1, before, after }))
  })
}

/** The text of a file with one line changed. */
export const changed = (text: string, { line, after }: Mutant): string =>
  text
    .split('\n')
    .with(line - 1, after)
    .join('\n')

/** Whether each line is inside an SQL template. */
function linesOfSql(lines: readonly string[]): boolean[] {
  let isIn = false
  return lines.map((line) => {
    const wasIn = isIn
    const ticks = [...line.matchAll(/`/g)].length
    if (ticks % 2 === 1) isIn = !isIn
    return wasIn || isIn
  })
}

function changesCode(code: string, text: string): boolean {
  const changed = withoutTypes(text)
  return changed !== null && changed.replaceAll(/\s+/g, ' ') !== code.replaceAll(/\s+/g, ' ')
}

/** null: the text does not parse */
function withoutTypes(text: string): string | null {
  try {
    return stripTypeScriptTypes(text)
  } catch {
    return null
  }
}

const ROMAN: Record<string, number> = { I: 1, V: 5, X: 10, L: 50, C: 100 }

function romanNumber(text: string): number {
  const digits = text.split('').map((letter) => ROMAN[letter]!)
  return digits.reduce((sum, digit, i) => sum + (digit < (digits[i + 1] ?? 0) ? -digit : digit), 0)
}

/** Numbered events, each with the year before its first one. */
const NUMBERED: [name: RegExp, yearZero: number][] = [
  [/\b(\d{1,3})(?:st|nd|rd|th) (?:annual )?(Academy Awards?|Oscars?)/gi, 1928],
  [/\b(\d{1,3})(?:st|nd|rd|th) (?:annual )?(Grammys?(?: Awards?)?)/gi, 1958],
]

/** Members of a parliament are elected in the year before their term. */
const TERM = /(\b(?:sworn in|inaugurated)\b[^.]{0,60}) for (?:the|a) term (?:beginning|starting) in (\d{4})/gi

/** Normalizes accents, dashes, quotes and initials, replaces numbers of events by years and drops tickers. */
export function cleanText(text: string): string {
  let clean = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[‐-―−]/g, '-')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/ \((?:D|R|I|DFL)\)s?(?!\w)/g, '')
    .replace(/\((?:NYSE: |NASDAQ: )?[A-Z]{2,5}\)/g, '')
    .replace(/\b([A-Z])\.\s?(?=[A-Z]\.)/g, '$1')
    .replace(/\b([A-Z]{2,})\./g, '$1')
    .replace(/\b([A-Z]{2})-0(?=\d\b)/g, '$1-')
    .replace(TERM, (_, sworn: string, year: string) => `${sworn} after the ${Number(year) - 1} election`)
    .replace(/\bSuper Bowl ([IVXLC]+)\b/g, (_, roman: string) => `Super Bowl ${1966 + romanNumber(roman)}`)
  for (const [pattern, yearZero] of NUMBERED)
    clean = clean.replace(
      pattern,
      (_, number: string, name: string) => `${yearZero + Number(number)} ${name}`,
    )
  return clean.replace(/\s+/g, ' ').trim()
}

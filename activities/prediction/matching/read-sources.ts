/** Publishers whose figures differ from those of other publishers. */
const PUBLISHERS: [name: string, pattern: RegExp][] = [
  ['silver-bulletin', /\bSilver Bulletin\b|\bNate Silver/i],
  ['realclear', /\bReal ?Clear/i],
  ['gallup', /\bGallup\b/i],
  ['rasmussen', /\bRasmussen\b/i],
  ['yougov', /\bYouGov\b/i],
  ['ddhq', /\bDecision Desk\b|\bDDHQ\b/i],
  ['truflation', /\bTruflation\b/i],
]
const STATION = /\brecorded (?:at|in|by) (?:the )?([A-Z][\w'.]*(?: [A-Z][\w'.]*)*)/
const NO_STATION = new Set([
  'airport',
  'station',
  'international',
  'intl',
  'the',
  'city',
  'new',
  'york',
  'los',
  'angeles',
])

/** Poll publishers and weather stations that the rules name; another one may give another result. */
export function readSources(rules: string): string[] {
  const publishers = PUBLISHERS.flatMap(([name, pattern]) => (pattern.test(rules) ? [name] : []))
  const station = STATION.exec(rules)?.[1] ?? ''
  const words = station.toLowerCase().split(' ')
  return [
    ...publishers,
    ...words.filter((word) => word !== '' && !NO_STATION.has(word)).map((word) => `station ${word}`),
  ]
}

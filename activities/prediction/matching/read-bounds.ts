/** Range of a figure from `low` to `high`; null: no bound. Plain numbers hold the venues' thresholds. */
export interface Bounds {
  low: number | null
  high: number | null
  /** whether the bound itself is excluded */
  lowOpen: boolean
  highOpen: boolean
  unit: 'usd' | 'percent' | 'bps' | 'degrees' | 'points' | null
}

const SCALES: Record<string, number> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  million: 1e6,
  mn: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
  t: 1e12,
  trillion: 1e12,
}
const UNITS: [Bounds['unit'], RegExp][] = [
  ['usd', /[$€£]|dollars?/i],
  ['bps', /bps?|basis/i],
  ['percent', /%|percent/i],
  ['degrees', /°|degrees?/i],
  ['points', /points?/i],
]

const NUMBER =
  '([$€£]?\\s?-?(?:\\d[\\d,]*(?:\\.\\d+)?|\\.\\d+)(?:(?:k|mn|m|bn|b|t)\\b| (?:thousand|million|billion|trillion)\\b)?\\s?(?:%|bps?\\b|basis points?|percent|°\\s?[CF]?|degrees?\\b|dollars?\\b|points?\\b|"|inch(?:es)?\\b|mm\\b|times\\b|cuts?\\b)?)'
const START = '(?<![A-Za-z0-9.,&-])'
const AFTER = '(?![A-Za-z0-9])'

type Limits = Omit<Bounds, 'unit'>

const between = (a: string, b = ''): Limits => ({ ...high(b, false), low: valueOf(scaleLike(a, b)) })
const exactly = (text: string): Limits => ({ ...between(text, text), high: valueOf(text), highOpen: false })

/** Ways to state bounds, the clearest first; the last one is a number that stands alone. */
const WAYS = (
  [
    [`(?:between |from )?${START}${NUMBER} ?(?:to|and|-) ?${NUMBER}${AFTER}`, between],
    [
      `${START}${NUMBER}(?:\\+(?: ?bps?)?| (?:or|and) (?:above|higher|more|greater|over))`,
      (a) => low(a, false),
    ],
    [`(?:≥|>=|at least|no less than|not below) ?${NUMBER}${AFTER}`, (a) => low(a, false)],
    [`${START}${NUMBER} (?:or|and) (?:below|lower|less|fewer|under)`, (a) => high(a, false)],
    [`(?:≤|<=|at most|no more than|not above) ?${NUMBER}${AFTER}`, (a) => high(a, false)],
    [
      `(?:\\b(?:above|over|more than|greater than|higher than|exceed(?:s|ing)?|surpass(?:es)?)|>|O/U) ?${NUMBER}${AFTER}`,
      (a) => low(a, true),
    ],
    [`(?:\\b(?:below|under|less than|fewer than|lower than)|<) ?${NUMBER}${AFTER}`, (a) => high(a, true)],
    [
      `(?:\\b(?:reach(?:es)?|hits?|touch(?:es)?|get(?:s)? to)|↑) (?:a )?(?:new )?${NUMBER}${AFTER}`,
      (a) => low(a, false),
    ],
    [
      `(?:\\b(?:dips?|drops?|falls?|crash(?:es)?|declines?)(?: below| to)?|↓) ${NUMBER}${AFTER}`,
      (a) => high(a, false),
    ],
    [`(?:exactly )?${START}${NUMBER}${AFTER}`, exactly],
  ] satisfies [string, (first: string, second?: string) => Limits][]
).map(([pattern, make]) => ({ pattern: new RegExp(pattern, 'i'), make }))

/** The bounds that a text names, and the text without them; null without a number. Remove dates first. */
export function readBounds(text: string): { bounds: Bounds; exact: boolean; rest: string } | null {
  for (const [index, { pattern, make }] of WAYS.entries()) {
    const match = pattern.exec(text)
    if (!match) continue
    const unit = UNITS.find(([, sign]) => sign.test(match[0]))?.[0] ?? null
    const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`
    return {
      bounds: { ...make(match[1]!, match[2]), unit },
      exact: index === WAYS.length - 1 && !/^exactly/i.test(match[0]),
      rest,
    }
  }
  return null
}

/** The bounds that a venue states apart from its texts. */
export function strikeBounds(strike: {
  type: string
  floor: string | null
  cap: string | null
}): Bounds | null {
  const { type, floor, cap } = strike
  const unit = null
  if (type === 'greater' && floor !== null) return { ...low(floor, true), unit }
  if (type === 'greater_or_equal' && floor !== null) return { ...low(floor, false), unit }
  if (type === 'less' && cap !== null) return { ...high(cap, true), unit }
  if (type === 'less_or_equal' && cap !== null) return { ...high(cap, false), unit }
  if (type === 'between' && floor !== null && cap !== null)
    return { ...high(cap, false), low: Number(floor), lowOpen: false, unit }
  return null
}

const digitsOf = (text: string): string => /-?(?:\d[\d,]*(?:\.\d+)?|\.\d+)/.exec(text)![0].replaceAll(',', '')
const scaleOf = (text: string): number => {
  const match = /\d(k|mn|m|bn|b|t)\b|\d (thousand|million|billion|trillion)\b/i.exec(text)
  return SCALES[(match?.[1] ?? match?.[2] ?? '').toLowerCase()] ?? 1
}

function valueOf(text: string): number {
  return Number((Number(digitsOf(text)) * scaleOf(text)).toPrecision(15))
}

/** "50 to 75k" means 50k to 75k. */
function scaleLike(first: string, second: string): string {
  const own = scaleOf(first)
  return own === 1 && scaleOf(second) > 1 && valueOf(first) < 1000
    ? String(Number(digitsOf(first)) * scaleOf(second))
    : first
}

/**
 * A bound. "above 99,999.99" means 100,000 or more, and "below 80,000.01" means 80,000 or less: Kalshi writes
 * "or above" and "or below" this way.
 */
function low(text: string, open: boolean): Limits {
  const nines = open && /\.\d*99$/.test(digitsOf(text))
  const value = nines ? rounded(valueOf(text) + stepOf(text)) : valueOf(text)
  return { low: value, lowOpen: open && !nines, high: null, highOpen: false }
}

function high(text: string, open: boolean): Limits {
  const nines = !open && /\.\d*99$/.test(digitsOf(text))
  const one = open && /\.0+1$/.test(digitsOf(text))
  const value = rounded(valueOf(text) + (nines ? stepOf(text) : one ? -stepOf(text) : 0))
  return { low: null, lowOpen: false, high: value, highOpen: nines || (open && !one) }
}

const rounded = (value: number): number => Number(value.toFixed(6))
/** One unit in the last place. */
const stepOf = (text: string): number => 10 ** -(digitsOf(text).split('.')[1]?.length ?? 0)

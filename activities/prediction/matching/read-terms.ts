import { cleanText } from './clean-text.ts'
import type { MarketText } from './market-text.ts'
import { type Bounds, readBounds, strikeBounds } from './read-bounds.ts'
import { type Period, readMinute, readPeriods } from './read-periods.ts'
import { readRoles, type Roles } from './read-roles.ts'
import { readSources } from './read-sources.ts'
import { type League, leagueOf, nameTeams } from './teams.ts'
import { namePhrases, readWords, type Words } from './words.ts'

/** What a market asks, as read from its texts. */
export interface Terms {
  /** of question and label */
  words: Words
  /** of all texts of the venue */
  spoken: Words
  bounds: Bounds | null
  /** whether the figure is a price, which takes any value, and not a count */
  priced: boolean
  /** `touch`: any moment of the window is enough; `at`: a given moment counts; null: not said */
  path: 'touch' | 'at' | null
  /** the period that question or label names; null: none */
  period: Period | null
  /** the periods that the rules name */
  periods: Period[]
  endsAt: Date | null
  /** minutes after midnight UTC at which the figure is checked */
  minute: number | null
  /** about a single game, not a season */
  game: boolean
  /** the side of a game that Yes stands for, or all outcomes if they are not called Yes and No */
  picks: string[]
  /** weather stations and pollsters that decide the result */
  sources: string[]
  negated: boolean
  roles: Roles
}

const GAME = /\b(?:vs\.?|v\.) |\bat \D+(?:[Ww]inner|:)/
const NEGATION = /\b(?:not|never|no longer|without|won't|no (?=government|new|more|@))\b/gi
const TOUCH =
  /\b(?:reach(?:es)?|hits?|dips?|touch(?:es)?|trades? (?:above|below)|how (?:high|low)|all[- ]time high)\b|[↑↓]/i
const PRICED = /\b(?:prices?|candle|close[sd]?|closing|trades? (?:above|below))\b/i
const ANY_TIME = /\bat any (?:time|point)\b|\bimmediately resolve\b|\bany .{0,60}candle\b/i
const AT_TIME =
  /\bcloses?\b|\bclosing (?:price|value)\b|final "close"|\bat \d{1,2}(?::\d\d)? ?[ap]\.?m\b(?! ET on)/i

/** Reads the terms by which two markets are compared. */
export function readTerms(market: MarketText): Terms {
  const question = cleanText(market.question)
  const label = cleanText(market.label ?? '')
  const rules = cleanText(market.rules ?? '')
  const league = leagueOf(`${question} ${label} ${rules}`)
  const asked = readPart(question, { league, endsAt: market.endsAt })
  const named = readPart(label, { league, endsAt: market.endsAt })
  const all = readPart(`${question}. ${market.eventTitle ?? ''}. ${label}. ${rules}`, {
    league,
    endsAt: market.endsAt,
  })
  const game =
    GAME.test(question) ||
    (/\bgame\b.{0,80}\b(?:scheduled|between)\b/i.test(rules) && /\bwin\b/i.test(question))
  // Under a question with a figure, the label "2000" is that figure and not a year.
  const labelled = named.periods.find(({ precision }) => precision !== 'year' || asked.found === null)
  const period = labelled ?? choosePeriod(asked.periods)
  const rulePeriods = readPeriods(rules, market.endsAt).periods
  const month = Number((period ?? rulePeriods[0])?.to.slice(5, 7) ?? 1)
  const inflation = inflationOf(question, rules)
  const words = joined([asked.words, ...(isYesNo(label) ? [] : [withoutNumbers(named.words)])], inflation)
  const bounds = boundsOf(market, asked, named)
  const over = market.outcomes.some((name) => name.toLowerCase() === 'over')
  return {
    words,
    spoken: joined([all.words, words], inflation),
    bounds:
      bounds && over ? { ...bounds, low: bounds.low ?? bounds.high, lowOpen: true, high: null } : bounds,
    priced: bounds?.unit === 'usd' || PRICED.test(`${question} ${rules}`),
    path: pathOf({ question, rules, period, bounds }),
    period,
    periods: rulePeriods,
    endsAt: market.endsAt,
    minute:
      period?.kind === 'by'
        ? null
        : (readMinute(question, month) ??
          (bounds !== null || period?.kind === 'on' ? readMinute(rules, month) : null)),
    game,
    picks: picksOf(market.outcomes, { label: game && bounds === null ? named.words : null, league }),
    sources: readSources(rules),
    roles: readRoles(asked.phrased),
    negated: asked.negations % 2 === 1 || (asked.negations === 0 && named.negations % 2 === 1),
  }
}

interface Part {
  words: Words
  periods: Period[]
  found: ReturnType<typeof readBounds>
  negations: number
  phrased: string
}

function readPart(text: string, { league, endsAt }: { league: League | null; endsAt: Date | null }): Part {
  const { periods, rest } = readPeriods(text, endsAt)
  const phrased = namePhrases(nameTeams(rest, league))
  const found = readBounds(phrased)
  return {
    words: readWords(found?.rest ?? phrased),
    periods,
    found,
    phrased,
    negations: phrased.match(NEGATION)?.length ?? 0,
  }
}

/** Numbers in a label only repeat the figure. */
const withoutNumbers = ({ firm, loose }: Words): Words => ({
  firm: firm.filter((word) => !/^[\d.,]+$/.test(word)),
  loose,
})

const isYesNo = (label: string): boolean => /^(?:yes|no)?$/i.test(label)

function joined(parts: readonly Words[], inflation: string | null): Words {
  const firm = new Set(parts.flatMap((part) => part.firm))
  const loose = new Set(parts.flatMap((part) => part.loose))
  if (inflation !== null) {
    for (const word of INFLATION_WORDS) {
      firm.delete(word)
      loose.delete(word)
    }
    firm.add(inflation)
  }
  return { firm: [...firm], loose: [...loose].filter((word) => !firm.has(word)) }
}

const INFLATION_WORDS = [
  'cpi',
  'core',
  'inflation',
  'annual',
  'monthly',
  'consumer',
  'index',
  'ending',
  'headline',
]

/** Which of the four inflation figures; null: none of them. */
function inflationOf(question: string, rules: string): string | null {
  if (!/\binflation\b|\bCPI\b/i.test(question)) return null
  const text = `${question} ${rules}`
  const core = /\bcore\b|excluding food and energy/i.test(text) ? 'core-' : ''
  const monthly = /\bmonthly\b|\bmonth[- ](?:over|on)[- ]month\b|\bMoM\b|\bone-month\b/i.test(text)
  const source = /\b(PCE|Truflation)\b/i.exec(text)?.[1]?.toLowerCase() ?? 'cpi'
  return `@${core}${source}-${monthly ? 'month' : 'year'}`
}

/** The venue's strike, else the bounds of the question, else of the label; a bare number comes last. */
function boundsOf(market: MarketText, asked: Part, named: Part): Bounds | null {
  const spoken = [asked.found, named.found].filter((found) => found !== null)
  const best = spoken.find(({ exact }) => !exact) ?? spoken[0]
  const strike = market.strike && strikeBounds(market.strike)
  return strike ? { ...strike, unit: best?.bounds.unit ?? null } : (best?.bounds ?? null)
}

/** A deadline or a day takes precedence over a year, which may only be part of a name. */
function choosePeriod(periods: readonly Period[]): Period | null {
  return periods.find(({ kind }) => kind !== 'in') ?? periods[0] ?? null
}

function pathOf(input: {
  question: string
  rules: string
  period: Period | null
  bounds: Bounds | null
}): Terms['path'] {
  const { question, rules, period, bounds } = input
  if (bounds === null) return null
  if (/\bcloses?\b/i.test(question)) return 'at'
  if (TOUCH.test(question)) return 'touch'
  if (period?.kind === 'on') return 'at'
  if (ANY_TIME.test(rules)) return 'touch'
  return AT_TIME.test(rules) ? 'at' : null
}

/** Empty when Yes answers the question and does not stand for a side of a game. */
function picksOf(
  outcomes: readonly string[],
  { label, league }: { label: Words | null; league: League | null },
): string[] {
  const pick = (words: Words): string => [...words.firm, ...words.loose].toSorted().join(' ')
  if (!outcomes.every((name) => /^(?:yes|no|over|under)?$/i.test(name)))
    return outcomes.map((name) => pick(readWords(namePhrases(nameTeams(cleanText(name), league)))))
  return label === null || pick(label) === '' ? [] : [pick(label)]
}

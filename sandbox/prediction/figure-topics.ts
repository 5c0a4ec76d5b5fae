import { day, long, short, type Spec, type Topic } from './question.ts'

const figures: {
  code: string
  category: string
  what: string
  unit: (v: number) => string
  levels: number[]
  source: string
  days: number
}[] = [
  {
    code: 'CPI',
    category: 'Economics',
    what: 'Annual US inflation',
    unit: (v) => `${v}%`,
    levels: [2.5, 2.8, 3.1, 3.4],
    source: 'https://www.bls.gov',
    days: 22,
  },
  {
    code: 'GDP',
    category: 'Economics',
    what: 'US GDP growth in the next report',
    unit: (v) => `${v}%`,
    levels: [1, 2, 3, 4],
    source: 'https://www.bea.gov',
    days: 65,
  },
  {
    code: 'U3',
    category: 'Economics',
    what: 'US unemployment rate',
    unit: (v) => `${v}%`,
    levels: [3.8, 4.1, 4.4, 4.7],
    source: 'https://www.bls.gov',
    days: -6,
  },
  {
    code: 'TSLA',
    category: 'Companies',
    what: 'Tesla quarterly deliveries',
    unit: (v) => v.toLocaleString('en-US'),
    levels: [400_000, 450_000, 480_000, 520_000],
    source: 'https://ir.tesla.com',
    days: 43,
  },
  {
    code: 'SPX',
    category: 'Finance',
    what: 'S&P 500 close',
    unit: (v) => v.toLocaleString('en-US'),
    levels: [6_000, 6_500, 7_000, 7_500],
    source: 'https://www.spglobal.com',
    days: 40,
  },
  {
    code: 'NYHEAT',
    category: 'Weather',
    what: 'Highest temperature in New York',
    unit: (v) => `${v} degrees`,
    levels: [50, 55, 60, 65],
    source: 'https://www.weather.gov',
    days: 3,
  },
  {
    code: 'LONRAIN',
    category: 'Weather',
    what: 'Rainfall in London this month',
    unit: (v) => `${v} mm`,
    levels: [30, 50, 70, 90],
    source: 'https://www.metoffice.gov.uk',
    days: -120,
  },
]

/** Published figures: for every second one Kalshi asks "at least" and Polymarket asks "above". */
export function figureTopics({ venue, anchor }: Spec): Topic[] {
  return figures.map(({ code, category, what, unit, levels, source, days }, i) => {
    const endsAt = anchor + days * day
    const atLeast = venue === 'kalshi' && i % 2 === 1
    const words = atLeast ? 'at least' : 'above'
    return {
      key: code,
      category,
      resolutionSource: source,
      exclusive: false,
      startsAt: Math.min(endsAt - 36 * day, anchor - 14 * day),
      title: venue === 'polymarket' ? `${what} by ${long(endsAt)}?` : what,
      questions: levels.map((level) => ({
        key: `${code}-${level}-${words}`,
        truth: `${code} ${words} ${level}`,
        question:
          venue === 'polymarket'
            ? `Will ${what} be ${words} ${unit(level)} on ${long(endsAt)}?`
            : `${what} ${words} ${unit(level)} on ${short(endsAt)}?`,
        label: atLeast ? `At least ${unit(level)}` : `Above ${unit(level)}`,
        rules: `If ${what} is ${words} ${unit(level)} on ${long(endsAt)} according to ${source}, this market resolves to Yes.`,
        strike: { type: atLeast ? 'greater_or_equal' : 'greater', floor: level, cap: null },
        outcomes: ['Yes', 'No'],
        endsAt,
      })),
    }
  })
}

import { day, long, type Spec, type Topic, type Venue } from './question.ts'

interface Race {
  code: string
  category: string
  polymarket: string
  kalshi: string
  ask: (name: string, venue: Venue, endsAt: number) => string
  names: string[]
  source: string
  days: number
  /** A name that only Kalshi lists. */
  odd?: string
}

/** How each venue words a move of the Fed. */
const fedMoves: Record<string, readonly [polymarket: string, kalshi: string]> = {
  '50+ bps decrease': ['Fed decreases interest rates by 50+ bps', 'Cut rates by >25bps'],
  '25 bps decrease': ['Fed decreases interest rates by 25 bps', 'Cut rates by 25bps'],
  'No change': ['No change in Fed interest rates', 'Hike rates by 0bps'],
  '25+ bps increase': ['Fed increases interest rates by 25+ bps', 'Hike rates by >0bps'],
}
const monthOf = (at: number): string => long(at).replace(/ \d+,/, '')

const races: Race[] = [
  {
    code: 'NBA',
    category: 'Sports',
    polymarket: 'NBA Champion',
    kalshi: 'Pro Basketball Champion',
    days: 210,
    ask: (name, venue) =>
      venue === 'polymarket'
        ? `Will the ${name} win the NBA Finals?`
        : `Will the ${name} win the Pro Basketball Championship?`,
    names: [
      'Boston Celtics',
      'Denver Nuggets',
      'Oklahoma City Thunder',
      'New York Knicks',
      'Los Angeles Lakers',
      'Milwaukee Bucks',
    ],
    source: 'https://www.nba.com',
    odd: 'Golden State Warriors',
  },
  {
    code: 'EPL',
    category: 'Sports',
    polymarket: 'English Premier League Winner',
    kalshi: 'Premier League Champion',
    days: 190,
    ask: (name, venue) =>
      venue === 'polymarket'
        ? `Will ${name} win the English Premier League?`
        : `Will ${name} win the Premier League?`,
    names: ['Arsenal', 'Liverpool', 'Manchester City', 'Chelsea', 'Newcastle United'],
    source: 'https://www.premierleague.com',
    odd: 'Aston Villa',
  },
  {
    code: 'SENATE',
    category: 'Politics',
    polymarket: 'Which party will control the Senate?',
    kalshi: 'Senate control',
    days: 720,
    ask: (name, venue) =>
      venue === 'polymarket'
        ? `Will the ${name} control the Senate after the 2028 election?`
        : `Will the ${name} win the Senate in 2028?`,
    names: ['Democratic Party', 'Republican Party'],
    source: 'https://www.senate.gov',
  },
  {
    code: 'FED',
    category: 'Economics',
    polymarket: 'Fed decision at the next meeting?',
    kalshi: 'Fed funds rate decision',
    days: 19,
    ask: (name, venue, endsAt) =>
      venue === 'polymarket'
        ? `${fedMoves[name]![0]} after ${monthOf(endsAt)} meeting?`
        : `Will the Federal Reserve ${fedMoves[name]![1]} at their ${monthOf(endsAt)} meeting?`,
    names: Object.keys(fedMoves),
    source: 'https://www.federalreserve.gov',
  },
  {
    code: 'OSCAR',
    category: 'Culture',
    polymarket: 'Best Picture winner',
    kalshi: 'Oscar for Best Picture',
    days: 100,
    ask: (name, venue) =>
      venue === 'polymarket'
        ? `Will "${name}" win Best Picture?`
        : `Will "${name}" win the Oscar for Best Picture?`,
    names: ['The Long Tide', 'Paper Moons', 'Northern Line', 'A Quiet Harbour'],
    source: 'https://www.oscars.org',
    odd: 'Glass Orchard',
  },
]

export function raceTopics({ venue, anchor }: Spec): Topic[] {
  return races.map((race) => {
    const endsAt = anchor + race.days * day
    const names = venue === 'kalshi' && race.odd ? [...race.names, race.odd] : race.names
    return {
      key: race.code,
      category: race.category,
      title: race[venue],
      resolutionSource: race.source,
      exclusive: true,
      startsAt: anchor - 30 * day,
      questions: names.map((name) => ({
        key: `${race.code}-${name}`,
        truth: `${race.code} ${name}`,
        question: race.ask(name, venue, endsAt),
        label: name,
        rules: `If the answer to "${race.ask(name, venue, endsAt)}" is yes according to ${race.source} by ${long(endsAt)}, this market resolves to Yes.`,
        strike: null,
        outcomes: ['Yes', 'No'] as [string, string],
        endsAt,
      })),
    }
  })
}

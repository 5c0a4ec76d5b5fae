import type { SandboxCoin } from '../market/coins.ts'

/** The facts of a story. */
export type StoryFacts = {
  coin: SandboxCoin
  /** Price change of the coin over the previous day, in percent. */
  changePercent: number
  /** A number from 1 to 99 that differs from story to story. */
  figure: number
}

type Telling = (facts: StoryFacts) => string

export type StoryKind = {
  /** Relative frequency among all kinds. */
  weight: number
  /** Whether the story is about the coin; otherwise it is about the industry. */
  hasCoin: boolean
  category: string
  /** Each publisher chooses one of these. */
  titles: Telling[]
  summary: Telling
}

const name = ({ coin }: StoryFacts): string => coin.name
const symbol = ({ coin }: StoryFacts): string => coin.symbol.toUpperCase()
const percent = ({ changePercent }: StoryFacts): string =>
  `${Math.max(1, Math.round(Math.abs(changePercent)))}%`
const choose = (facts: StoryFacts, up: string, down: string): string => (facts.changePercent >= 0 ? up : down)

const storyKinds: StoryKind[] = [
  {
    weight: 14,
    hasCoin: true,
    category: 'Markets',
    titles: [
      (f) =>
        `${name(f)} ${choose(f, 'climbs', 'slides')} ${percent(f)} as ${choose(f, 'buyers return', 'traders cut risk')}`,
      (f) => `${symbol(f)} ${choose(f, 'gains', 'drops')} ${percent(f)} in a day: what moved the price`,
      (f) =>
        `${choose(f, 'Bulls push', 'Bears drag')} ${name(f)} ${choose(f, 'higher', 'lower')} & volumes follow`,
    ],
    summary: (f) =>
      `The price of ${name(f)} (${symbol(f)}) ${choose(f, 'rose', 'fell')} ${percent(f)} over 24 hours on the sandbox exchanges.`,
  },
  {
    weight: 4,
    hasCoin: true,
    category: 'Technology',
    titles: [
      (f) => `${name(f)} developers ship upgrade ahead of schedule`,
      (f) => `${name(f)} mainnet upgrade goes live`,
    ],
    summary: (f) => `The upgrade of the ${name(f)} network cuts fees by ${f.figure}%, its developers say.`,
  },
  {
    weight: 3,
    hasCoin: true,
    category: 'Business',
    titles: [
      (f) => `Asset manager files for ${name(f)} ETF`,
      (f) => `${symbol(f)} ETF filing lands at the SEC`,
    ],
    summary: (f) => `The fund would hold ${name(f)} and charge 0.${f.figure}% a year.`,
  },
  {
    weight: 3,
    hasCoin: true,
    category: 'Security',
    titles: [
      (f) => `Bridge hacked: $${f.figure} million in ${symbol(f)} stolen`,
      (f) => `Exploit drains $${f.figure}M of ${name(f)} from lending pool`,
    ],
    summary: (f) =>
      `The attacker moved ${symbol(f)} worth $${f.figure} million through a mixer within an hour.`,
  },
  {
    weight: 3,
    hasCoin: true,
    category: 'Markets',
    titles: [
      (f) => `Whales accumulate ${name(f)} at a ${f.figure}-week high`,
      (f) => `${symbol(f)} whales are buying, data show`,
    ],
    summary: (f) => `Wallets with large balances of ${name(f)} added ${f.figure} million dollars this week.`,
  },
  {
    weight: 2,
    hasCoin: true,
    category: 'Markets',
    titles: [
      (f) => `Token unlock worth $${f.figure} million looms over ${name(f)}`,
      (f) => `${symbol(f)} slips before $${f.figure}M unlock`,
    ],
    summary: (f) => `The unlock adds to the supply of ${symbol(f)} at the end of the month.`,
  },
  {
    weight: 2,
    hasCoin: false,
    category: 'Policy',
    titles: [
      () => 'Regulators near agreement on stablecoin rules',
      () => 'Lawmakers link crypto bill to budget vote',
      (f) => `Survey: one in ${2 + (f.figure % 8)} adults owns digital assets`,
    ],
    summary: () => 'A final text is expected before the summer recess, people close to the talks say.',
  },
  {
    weight: 2,
    hasCoin: false,
    category: 'Policy',
    titles: [
      () => 'Exchange fined over weak controls',
      (f) => `Regulator sues trading platform, seeks $${f.figure} million`,
    ],
    summary: () => 'The platform said that it would contest the charges.',
  },
  {
    weight: 2,
    hasCoin: false,
    category: 'Business',
    titles: [
      (f) => `Custody startup raises $${f.figure} million`,
      () => 'Optimism returns to crypto venture funding',
    ],
    summary: (f) => `The round was led by funds that also backed ${f.figure % 9} other custodians.`,
  },
]

/** The kinds, each repeated by its weight. */
export const weightedKinds: StoryKind[] = storyKinds.flatMap((kind) =>
  Array<StoryKind>(kind.weight).fill(kind),
)

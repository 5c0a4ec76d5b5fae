/** One question as one venue asks it. Times in unix seconds. */
export interface Question {
  key: string
  /** What it is about, independent of the venue: questions with the same truth have the same answer. */
  truth: string
  /** It claims the opposite of the truth. */
  negated?: boolean
  question: string
  label: string
  rules: string
  strike: { type: string; floor: number | null; cap: number | null } | null
  outcomes: [string, string]
  endsAt: number
}

export interface Topic {
  key: string
  category: string
  title: string
  resolutionSource: string
  exclusive: boolean
  startsAt: number
  questions: Question[]
}

export type Venue = 'polymarket' | 'kalshi'

/** The asking venue; deadlines count from `anchor`, in unix seconds. */
export interface Spec {
  venue: Venue
  anchor: number
}

export const day = 86_400

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const dateOf = (at: number) => new Date(at * 1000)
/** "December 31, 2026" and "Dec 31, 2026" */
export const long = (at: number): string =>
  `${months[dateOf(at).getUTCMonth()]} ${dateOf(at).getUTCDate()}, ${dateOf(at).getUTCFullYear()}`
export const short = (at: number): string => long(at).replace(/^(...)\w*/, '$1')

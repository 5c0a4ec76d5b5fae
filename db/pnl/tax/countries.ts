import type { CostMethod } from '../lots/lot-pool.ts'

/** What a tax report needs to know of a country. It is no tax advice: `notes` says what it leaves out. */
export interface Country {
  name: string
  /** Cost methods that its rules know, the usual one first. */
  methods: readonly CostMethod[]
  /** A lot is long-term when it was held for more than this number of years, by the calendar. */
  longAfterYears: number
  /** Why there is no report; absent: there is one. */
  unsupported?: string
  notes: readonly string[]
}

export const COUNTRIES = {
  generic: {
    name: 'No country',
    methods: ['fifo', 'lifo', 'hifo', 'average'],
    longAfterYears: 1,
    notes: ['One year between short and long term is a common rule, not that of your country.'],
  },
  us: {
    name: 'United States',
    methods: ['fifo', 'hifo', 'lifo'],
    longAfterYears: 1,
    notes: [
      'Long-term: held for more than one year.',
      'Other methods than fifo need a specific identification of the units, made at the time of each sale.',
      'From 2025 on lots are those of one wallet or account: a report of all portfolios combined does not separate them.',
      'Wash sales, gifts, donations and derivatives have rules of their own that are not applied.',
    ],
  },
  de: {
    name: 'Germany',
    methods: ['fifo', 'average'],
    longAfterYears: 1,
    notes: [
      'Long-term: held for more than one year. The exemption limit of a year is not applied.',
      'Disposals of money and stablecoins, margin trades and business assets have rules of their own that are not applied.',
    ],
  },
  uk: {
    name: 'United Kingdom',
    methods: [],
    longAfterYears: 0,
    unsupported:
      'Shares are pooled there, after matches with the same day and the 30 days that follow. Sluice has no such method',
    notes: [],
  },
} as const satisfies Record<string, Country>
export type CountryId = keyof typeof COUNTRIES
export const COUNTRY_IDS = Object.keys(COUNTRIES) as CountryId[]

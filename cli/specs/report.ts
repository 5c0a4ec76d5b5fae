import { COUNTRY_IDS } from '../../db/pnl/tax/countries.ts'
import { type CommandSpec, JSON_OPTION } from '../command-spec.ts'

export const REPORT = {
  name: 'report',
  group: 'accounts',
  help: 'report what a portfolio disposed of and received in a year',
  actions: {
    tax: {
      help: 'print gains by lot, short-term and long-term, and income; it is no tax advice',
      options: {
        portfolio: {
          kind: 'text',
          value: 'PORTFOLIO',
          help: 'one portfolio: transfers to other portfolios count as disposals',
        },
        account: {
          kind: 'text',
          value: 'ACCOUNT',
          help: 'all portfolios of an account combined, without the transfers between them',
        },
        year: { kind: 'integer', required: true, least: 2009, most: 9998, help: 'calendar year in UTC' },
        country: {
          kind: 'text',
          value: COUNTRY_IDS.join('|'),
          oneOf: COUNTRY_IDS,
          default: 'generic',
          help: 'line between short-term and long-term, and notes; uk is refused, because shares are pooled there',
        },
        currency: {
          kind: 'text',
          value: 'CODE',
          default: 'USD',
          help: 'each amount at the rate of its own instant; average has USD alone',
        },
        csv: { help: 'print a line of CSV for each lot and receipt' },
        ...JSON_OPTION,
      },
    },
  },
  notes: 'Give --portfolio or --account. The cost method is that of the portfolio or account.',
} as const satisfies CommandSpec

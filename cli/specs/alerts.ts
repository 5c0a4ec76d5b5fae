import { ALERT_TYPES } from '../../db/events/event-types.ts'
import { type CommandSpec, JSON_OPTION } from '../command-spec.ts'

const ACCOUNT = {
  kind: 'text',
  value: 'ACCOUNT',
  help: 'account id, or a name that only one account has',
} as const
const usd = (help: string) => ({ kind: 'text', value: 'NUMBER', help }) as const

export const ALERTS = {
  name: 'alerts',
  group: 'accounts',
  help: 'manage what accounts are told of prices, portfolios and prediction markets',
  actions: {
    list: {
      help: 'list the alerts of all accounts, or of one',
      options: { account: ACCOUNT, ...JSON_OPTION },
    },
    add: {
      help: 'add an alert and print its id',
      operands: {
        type: { value: ALERT_TYPES.join('|'), oneOf: ALERT_TYPES },
        subject: { value: 'ID', help: 'of the coin, the portfolio or the prediction market' },
      },
      options: {
        account: { ...ACCOUNT, required: true },
        above: usd('fire when the price rises to it: USD, or a probability'),
        below: usd('fire when the price falls to it'),
        change: { kind: 'text', value: 'PERCENT', help: 'fire when the value has moved so far' },
        window: { kind: 'integer', value: 'SECONDS', help: 'of a coin: the time in which it moves' },
        every: { kind: 'integer', value: 'SECONDS', help: 'of a portfolio: fire once in this time at most' },
        outcome: { kind: 'text', value: 'ID', help: 'of a market; default: Yes, or the first one' },
        endpoint: { kind: 'text', value: 'ID', help: 'webhook endpoint; default: all that want the type' },
        ...JSON_OPTION,
      },
    },
    remove: { help: 'remove an alert', operands: { id: { value: 'ID' } }, options: JSON_OPTION },
  },
} as const satisfies CommandSpec

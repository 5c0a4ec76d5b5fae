import { type CommandSpec, JSON_OPTION } from '../command-spec.ts'

export const PAY = {
  name: 'pay',
  group: 'money',
  help: 'pay for one call at the gateway with test money and print the answer',
  actions: {
    '': {
      operands: { path: { value: 'PATH', help: "path at the gateway, such as '/coins?limit=3'" } },
      options: {
        sharetoken: { kind: 'text', value: 'TOKEN', help: 'token of a share link, for /portfolio' },
        passcode: { kind: 'text', value: '123456', help: 'passcode of that link' },
        ...JSON_OPTION,
      },
    },
  },
} as const satisfies CommandSpec

export const PAYMENTS = {
  name: 'payments',
  group: 'money',
  help: 'show payments at the gateway with their states, amounts and transactions',
  actions: {
    list: {
      help: 'list the newest payments, and count the payments of each state',
      options: {
        state: {
          oneOf: ['claimed', 'settling', 'settled', 'failed', 'unknown', 'lost'],
          help: 'only payments in this state',
        },
        limit: { kind: 'integer', default: 20, least: 1, most: 1_000, help: 'number of payments' },
        ...JSON_OPTION,
      },
    },
    show: {
      help: 'show one payment',
      operands: { id: { value: 'ID', help: 'as in the list' } },
      options: JSON_OPTION,
    },
    'note-refund': {
      help: 'note that you gave a payment back by hand, so that nobody does it twice',
      operands: { id: { value: 'ID', help: 'as in the list' } },
      options: {
        note: { kind: 'text', value: 'TEXT', required: true, help: 'such as the transaction' },
        ...JSON_OPTION,
      },
    },
  },
} as const satisfies CommandSpec

export const SESSIONS = {
  name: 'sessions',
  group: 'money',
  help: 'end sessions that were bought at the gateway',
  actions: {
    revoke: {
      help: 'end the sessions bought so far with one transaction (its hash) or by one payer (an address)',
      operands: { subject: { value: 'TRANSACTION|PAYER' } },
      options: JSON_OPTION,
    },
  },
} as const satisfies CommandSpec

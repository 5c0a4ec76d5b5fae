import { type CommandSpec, JSON_OPTION } from '../command-spec.ts'

export const PAY = {
  name: 'pay',
  group: 'money',
  help: 'pays for one call at the gateway with test money, and shows what it brought',
  actions: {
    '': {
      operands: { path: { value: 'PATH', help: "one of the gateway, such as '/coins?limit=3'" } },
      options: {
        sharetoken: { kind: 'text', value: 'TOKEN', help: 'of a share link, for /portfolio' },
        passcode: { kind: 'text', value: '123456', help: 'of that link' },
        ...JSON_OPTION,
      },
    },
  },
} as const satisfies CommandSpec

export const PAYMENTS = {
  name: 'payments',
  group: 'money',
  help: 'payments at the gateway: their states, amounts and transactions',
  actions: {
    list: {
      help: 'the newest, and how many there are of each state',
      options: {
        state: {
          oneOf: ['claimed', 'settling', 'settled', 'failed', 'unknown', 'lost'],
          help: 'of one state alone',
        },
        limit: { kind: 'integer', default: 20, least: 1, most: 1_000, help: 'how many' },
        ...JSON_OPTION,
      },
    },
    show: {
      help: 'one of them',
      operands: { id: { value: 'ID', help: 'as in the list' } },
      options: JSON_OPTION,
    },
  },
} as const satisfies CommandSpec

export const SESSIONS = {
  name: 'sessions',
  group: 'money',
  help: 'ends what was bought at the gateway for an hour',
  actions: {
    revoke: {
      help: 'what was bought until now: with one transaction (its hash), or by one payer (an address)',
      operands: { subject: { value: 'TRANSACTION|PAYER' } },
    },
  },
} as const satisfies CommandSpec

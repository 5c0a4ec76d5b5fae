import { type CommandSpec, JSON_OPTION } from '../command-spec.ts'

const NAME = { name: { value: 'NAME', help: 'what the user types to sign in' } } as const

export const USERS = {
  name: 'users',
  group: 'accounts',
  help: 'manage who signs in at the embedded OpenID provider',
  actions: {
    invite: {
      help: 'make a user and print the link with which they choose a password',
      operands: NAME,
      options: {
        account: { kind: 'text', value: 'ACCOUNT', help: 'name or id of the account that they open' },
        console: { help: 'let them see /console' },
        ...JSON_OPTION,
      },
    },
    list: { help: 'list all users', options: JSON_OPTION },
    disable: { help: 'refuse a user and end their sessions', operands: NAME, options: JSON_OPTION },
    enable: { help: 'let a disabled user sign in again', operands: NAME, options: JSON_OPTION },
    reset: {
      help: 'take a user everything they sign in with, end their sessions and print a new link',
      operands: NAME,
      options: JSON_OPTION,
    },
    'new-key': {
      help: "add a key that seals the secrets of users' apps for codes",
      options: JSON_OPTION,
    },
    'rotate-keys': { help: 'seal all of these secrets under the newest key', options: JSON_OPTION },
  },
  notes:
    'A link works once and for three days. NAME has small letters, digits and . _ @ + -. Users of another OpenID provider are linked with "sluice identities".',
} as const satisfies CommandSpec

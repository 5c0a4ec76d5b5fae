import { TREATED_ROLES } from '../../db/pnl/legs/roles.ts'
import { COST_METHODS } from '../../db/values/cost-methods.ts'
import { type CommandSpec, JSON_OPTION } from '../command-spec.ts'

const ACCOUNT = {
  kind: 'text',
  value: 'ACCOUNT',
  required: true,
  help: 'its id, or a name that only it has',
} as const
const PLAN = {
  oneOf: ['free', 'starter', 'pro', 'enterprise'],
  value: 'PLAN',
  required: true,
  help: 'free, starter, pro or enterprise',
} as const
const ON_OFF = { value: 'on|off', oneOf: ['on', 'off'] } as const

export const ACCOUNTS = {
  name: 'accounts',
  group: 'accounts',
  help: 'accounts, their plans and credits',
  actions: {
    create: {
      help: 'opens an account and prints its id',
      options: {
        name: { kind: 'text', value: 'NAME', required: true, help: 'how it is called here' },
        plan: PLAN,
        credits: { kind: 'integer', help: 'credits a month, if not those of the plan', most: 1e15 },
        rps: { kind: 'integer', help: 'requests a second, if not those of the plan', most: 1e6 },
        ...JSON_OPTION,
      },
    },
    'set-plan': { help: 'puts it on another plan, from now on', options: { account: ACCOUNT, plan: PLAN } },
    degen: {
      help: 'lets it share portfolios, or no more',
      operands: { account: { value: 'ACCOUNT' }, state: ON_OFF },
    },
    'top-up': {
      help: 'adds credits; the same id adds them once',
      options: {
        account: ACCOUNT,
        credits: { kind: 'integer', required: true, help: 'how many', most: 1e15 },
        until: { kind: 'instant', help: 'they are good until then; else to the end of the period' },
        id: { kind: 'text', value: 'ORDER', help: 'of the order that they are for' },
        ...JSON_OPTION,
      },
    },
    'top-ups': {
      help: 'what was added, and what is left of it',
      options: { account: ACCOUNT, ...JSON_OPTION },
    },
    list: { help: 'all accounts', options: JSON_OPTION },
  },
} as const satisfies CommandSpec

export const KEYS = {
  name: 'keys',
  group: 'accounts',
  help: 'API keys of an account',
  actions: {
    create: {
      help: 'makes a key and prints it, this once',
      options: {
        account: ACCOUNT,
        name: { kind: 'text', value: 'NAME', required: true, help: 'what it is for' },
        'read-only': { help: 'it opens GET alone' },
        opens: { kind: 'text', value: 'LIST', help: 'what it opens, parted by commas; else everything' },
        expires: { kind: 'instant', help: 'when it ends; else never' },
        ...JSON_OPTION,
      },
    },
    list: { help: 'its keys, without the keys themselves', options: { account: ACCOUNT, ...JSON_OPTION } },
    revoke: {
      help: 'ends a key, within 5 seconds',
      options: {
        account: ACCOUNT,
        prefix: {
          kind: 'text',
          value: 'PREFIX',
          required: true,
          help: 'the beginning of the key, as in the list',
        },
      },
    },
  },
  notes: 'LIST holds tags as in /v1/docs ("Coins") and endpoints ("GET /wallet/balance").',
} as const satisfies CommandSpec

const ISSUER = {
  issuer: { kind: 'text', value: 'URL', help: '"iss" of its tokens; else OIDC_ISSUER' },
} as const
const SUBJECT = { subject: { value: 'SUBJECT', help: '"sub" of its tokens' } } as const

export const IDENTITIES = {
  name: 'identities',
  group: 'accounts',
  help: 'who opens which account, and who sees the console, by an OpenID provider',
  actions: {
    link: { help: 'opens an account to it', operands: SUBJECT, options: { account: ACCOUNT, ...ISSUER } },
    unlink: { help: 'closes it again, within 5 seconds', operands: SUBJECT, options: ISSUER },
    'sign-out': {
      help: 'ends all its sessions at /account and /console',
      operands: SUBJECT,
      options: ISSUER,
    },
    operator: { help: 'who may see /console', operands: { ...SUBJECT, state: ON_OFF }, options: ISSUER },
    list: { help: 'all of them', options: JSON_OPTION },
  },
} as const satisfies CommandSpec

const PORTFOLIO = { portfolio: { value: 'PORTFOLIO', help: 'a portfolioId of GET /portfolio/list' } } as const
const SHARE = { share: { value: 'SHARE', help: 'an id of "sluice shares list"' } } as const

export const SHARES = {
  name: 'shares',
  group: 'accounts',
  help: 'links that show a portfolio to whoever has them',
  actions: {
    create: {
      help: 'makes a link and prints it, this once',
      operands: PORTFOLIO,
      options: {
        passcode: { kind: 'text', value: '123456', help: 'six digits that are asked for' },
        ...JSON_OPTION,
      },
    },
    list: { help: 'its links, without their tokens', operands: PORTFOLIO, options: JSON_OPTION },
    rotate: { help: 'gives it another token; the one before is dead', operands: SHARE, options: JSON_OPTION },
    revoke: { help: 'ends a link', operands: SHARE },
  },
} as const satisfies CommandSpec

const ID = { id: { value: 'ID' } } as const
const ONE = {
  subject: { value: 'ID|TRANSACTION' },
  word: { value: 'KIND:KEY', optional: true, help: 'a transaction of an exchange; ID is its portfolio then' },
} as const
const NAME = { kind: 'text', value: 'NAME', required: true, help: 'up to 100 characters' } as const
const PART = { kind: 'integer', default: 0, most: 9_999, help: 'of a transaction that was split' } as const

export const PORTFOLIOS = {
  name: 'portfolios',
  group: 'accounts',
  help: 'portfolios of an account, and corrections of what is in them',
  actions: {
    list: { help: 'those of an account', options: { account: ACCOUNT, ...JSON_OPTION } },
    create: {
      help: 'one whose transactions are stated by hand; prints its id',
      options: { account: ACCOUNT, name: NAME, ...JSON_OPTION },
    },
    rename: { help: 'calls it otherwise', operands: ID, options: { name: NAME } },
    method: {
      help: 'how lots are matched with sales; METHOD alone, with --account: of all of them together',
      operands: {
        subject: { value: `ID|${COST_METHODS.join('|')}` },
        method: { value: COST_METHODS.join('|'), oneOf: COST_METHODS, optional: true },
      },
      options: { account: { kind: 'text', value: 'ACCOUNT', help: 'whose portfolios all together' } },
    },
    delete: { help: 'removes it', operands: ID },
    transactions: {
      help: 'of an exchange: the newest, with their corrections; or those stated by hand',
      operands: ID,
      options: {
        limit: { kind: 'integer', default: 50, least: 1, most: 9_999, help: 'how many' },
        ...JSON_OPTION,
      },
    },
    movements: {
      help: 'what a transaction of a wallet did',
      operands: { ...ID, hash: { value: 'HASH' } },
      options: JSON_OPTION,
    },
    move: {
      help: 'states another day or portfolio',
      operands: ONE,
      options: {
        date: { kind: 'instant', help: 'when it was' },
        to: { kind: 'text', value: 'ID', help: 'the portfolio it belongs to' },
        part: PART,
      },
    },
    split: {
      help: 'takes so much of it into one of its own, or into a part, whose number is printed',
      operands: ONE,
      options: { count: { kind: 'text', value: 'COUNT', required: true, help: 'how much, with its sign' } },
    },
    drop: { help: 'takes away what was stated by hand', operands: { id: { value: 'TRANSACTION' } } },
    undo: {
      help: 'back to what the exchange states',
      operands: { ...ID, word: { value: 'KIND:KEY' } },
    },
    label: {
      help: 'says what a transaction was: auto is what we make of it',
      operands: { ...ID, word: { value: 'HASH|KIND:KEY' }, role: { value: 'ROLE' } },
      options: {
        movement: { kind: 'integer', help: 'of a wallet: one of its movements; else all' },
        part: PART,
      },
    },
    treat: {
      help: 'counts what came in for nothing as income or as a flow in one portfolio; auto: as everywhere',
      operands: {
        ...ID,
        role: { value: TREATED_ROLES.join('|'), oneOf: TREATED_ROLES },
        treatment: { value: 'income|flow|auto', oneOf: ['income', 'flow', 'auto'] },
      },
    },
    treatments: {
      help: 'what it treats in its own way, who asked and when',
      operands: ID,
      options: JSON_OPTION,
    },
  },
  notes: 'What changes a history has its figures computed anew from its day on, by the worker.',
} as const satisfies CommandSpec

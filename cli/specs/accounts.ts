import { TREATED_ROLES } from '../../db/pnl/legs/roles.ts'
import { COST_METHODS } from '../../db/pnl/lots/lot-pool.ts'
import { type CommandSpec, JSON_OPTION } from '../command-spec.ts'

const ACCOUNT = {
  kind: 'text',
  value: 'ACCOUNT',
  required: true,
  help: 'account id, or a name that only one account has',
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
  help: 'manage accounts, their plans and credits',
  actions: {
    create: {
      help: 'open an account and print its id',
      options: {
        name: { kind: 'text', value: 'NAME', required: true, help: 'name of the account' },
        plan: PLAN,
        credits: { kind: 'integer', help: 'credits per month, instead of those of the plan', most: 1e15 },
        rps: { kind: 'integer', help: 'requests per second, instead of those of the plan', most: 1e6 },
        ...JSON_OPTION,
      },
    },
    'set-plan': {
      help: 'change the plan, effective at once',
      options: { account: ACCOUNT, plan: PLAN, ...JSON_OPTION },
    },
    degen: {
      help: 'allow or forbid an account to share portfolios',
      operands: { account: { value: 'ACCOUNT' }, state: ON_OFF },
      options: JSON_OPTION,
    },
    'top-up': {
      help: 'add credits; the same id adds them only once',
      options: {
        account: ACCOUNT,
        credits: { kind: 'integer', required: true, help: 'number of credits', most: 1e15 },
        until: { kind: 'instant', help: 'when they expire; default: the end of the period' },
        id: { kind: 'text', value: 'ORDER', help: 'id of the order' },
        ...JSON_OPTION,
      },
    },
    'top-ups': {
      help: 'list top-ups and the credits that remain',
      options: { account: ACCOUNT, ...JSON_OPTION },
    },
    list: { help: 'list all accounts', options: JSON_OPTION },
  },
} as const satisfies CommandSpec

export const KEYS = {
  name: 'keys',
  group: 'accounts',
  help: 'manage the API keys of an account',
  actions: {
    create: {
      help: 'create a key and print it; it is shown only once',
      options: {
        account: ACCOUNT,
        name: { kind: 'text', value: 'NAME', required: true, help: 'what the key is for' },
        'read-only': { help: 'allow GET only' },
        opens: {
          kind: 'text',
          value: 'LIST',
          help: 'comma-separated tags and endpoints that it opens; default: all',
        },
        expires: { kind: 'instant', help: 'when it expires; default: never' },
        ...JSON_OPTION,
      },
    },
    list: { help: 'list the keys without their secrets', options: { account: ACCOUNT, ...JSON_OPTION } },
    revoke: {
      help: 'revoke a key; it stops working within 5 seconds',
      options: {
        account: ACCOUNT,
        prefix: {
          kind: 'text',
          value: 'PREFIX',
          required: true,
          help: 'first characters of the key, as in the list',
        },
        ...JSON_OPTION,
      },
    },
  },
  notes: 'LIST holds tags as in /v1/docs ("Coins") and endpoints ("GET /wallet/balance").',
} as const satisfies CommandSpec

const ISSUER = {
  issuer: { kind: 'text', value: 'URL', help: '"iss" of the tokens; default: OIDC_ISSUER' },
} as const
const SUBJECT = { subject: { value: 'SUBJECT', help: '"sub" of the tokens' } } as const

export const IDENTITIES = {
  name: 'identities',
  group: 'accounts',
  help: 'link users of an OpenID provider to accounts and to the console',
  actions: {
    link: {
      help: 'let a user open an account',
      operands: SUBJECT,
      options: { account: ACCOUNT, ...ISSUER, ...JSON_OPTION },
    },
    unlink: {
      help: 'undo the link; the user loses access within 5 seconds',
      operands: SUBJECT,
      options: { ...ISSUER, ...JSON_OPTION },
    },
    'sign-out': {
      help: 'end all sessions of a user at /account and /console',
      operands: SUBJECT,
      options: { ...ISSUER, ...JSON_OPTION },
    },
    operator: {
      help: 'allow or forbid a user to see /console',
      operands: { ...SUBJECT, state: ON_OFF },
      options: { ...ISSUER, ...JSON_OPTION },
    },
    list: { help: 'list all identities', options: JSON_OPTION },
  },
} as const satisfies CommandSpec

const PORTFOLIO = { portfolio: { value: 'PORTFOLIO', help: 'portfolioId from GET /portfolio/list' } } as const
const SHARE = { share: { value: 'SHARE', help: 'id from "sluice shares list"' } } as const

export const SHARES = {
  name: 'shares',
  group: 'accounts',
  help: 'manage links that show a portfolio to anyone who has them',
  actions: {
    create: {
      help: 'create a link and print it; it is shown only once',
      operands: PORTFOLIO,
      options: {
        passcode: { kind: 'text', value: '123456', help: 'require these six digits' },
        ...JSON_OPTION,
      },
    },
    list: {
      help: 'list the links of a portfolio without their tokens',
      operands: PORTFOLIO,
      options: JSON_OPTION,
    },
    rotate: {
      help: 'replace the token of a link; the old link stops working',
      operands: SHARE,
      options: JSON_OPTION,
    },
    revoke: { help: 'revoke a link', operands: SHARE, options: JSON_OPTION },
  },
} as const satisfies CommandSpec

const ID = { id: { value: 'ID' } } as const
const ONE = {
  subject: { value: 'ID|TRANSACTION' },
  word: { value: 'KIND:KEY', optional: true, help: 'transaction of an exchange; ID is then its portfolio' },
} as const
const NAME = { kind: 'text', value: 'NAME', required: true, help: 'up to 100 characters' } as const
const PART = { kind: 'integer', default: 0, most: 9_999, help: 'part of a split transaction' } as const

export const PORTFOLIOS = {
  name: 'portfolios',
  group: 'accounts',
  help: 'manage the portfolios of an account and correct their transactions',
  actions: {
    list: { help: 'list the portfolios of an account', options: { account: ACCOUNT, ...JSON_OPTION } },
    create: {
      help: 'create a manual portfolio and print its id',
      options: { account: ACCOUNT, name: NAME, ...JSON_OPTION },
    },
    rename: { help: 'rename a portfolio', operands: ID, options: { name: NAME, ...JSON_OPTION } },
    method: {
      help: 'set how lots are matched with sales; for a whole account give the method and --account',
      operands: {
        subject: { value: `ID|${COST_METHODS.join('|')}` },
        method: { value: COST_METHODS.join('|'), oneOf: COST_METHODS, optional: true },
      },
      options: {
        account: { kind: 'text', value: 'ACCOUNT', help: 'account whose portfolios count together' },
        ...JSON_OPTION,
      },
    },
    delete: { help: 'delete a portfolio', operands: ID, options: JSON_OPTION },
    transactions: {
      help: 'list the newest transactions of an exchange with corrections, or those of a manual portfolio',
      operands: ID,
      options: {
        limit: { kind: 'integer', default: 50, least: 1, most: 9_999, help: 'number of transactions' },
        ...JSON_OPTION,
      },
    },
    movements: {
      help: 'list the movements of a wallet transaction',
      operands: { ...ID, hash: { value: 'HASH' } },
      options: JSON_OPTION,
    },
    move: {
      help: 'change the day or the portfolio of a transaction',
      operands: ONE,
      options: {
        date: { kind: 'instant', help: 'when it happened' },
        to: { kind: 'text', value: 'ID', help: 'portfolio it belongs to' },
        part: PART,
        ...JSON_OPTION,
      },
    },
    split: {
      help: 'split an amount off into its own transaction, or into a part whose number is printed',
      operands: ONE,
      options: {
        count: { kind: 'text', value: 'COUNT', required: true, help: 'amount to split off, with its sign' },
        ...JSON_OPTION,
      },
    },
    drop: {
      help: 'delete a transaction of a manual portfolio',
      operands: { id: { value: 'TRANSACTION' } },
      options: JSON_OPTION,
    },
    undo: {
      help: 'restore what the exchange states',
      operands: { ...ID, word: { value: 'KIND:KEY' } },
      options: JSON_OPTION,
    },
    label: {
      help: 'set the role of a transaction; auto restores the detected role',
      operands: { ...ID, word: { value: 'HASH|KIND:KEY' }, role: { value: 'ROLE' } },
      options: {
        movement: { kind: 'integer', help: 'one movement of a wallet transaction; default: all' },
        part: PART,
        ...JSON_OPTION,
      },
    },
    treat: {
      help: 'count rewards and the like as income or as a flow in one portfolio; auto: as everywhere',
      operands: {
        ...ID,
        role: { value: TREATED_ROLES.join('|'), oneOf: TREATED_ROLES },
        treatment: { value: 'income|flow|auto', oneOf: ['income', 'flow', 'auto'] },
      },
      options: JSON_OPTION,
    },
    treatments: {
      help: 'list the treatments of a portfolio, who asked for them and when',
      operands: ID,
      options: JSON_OPTION,
    },
  },
  notes: 'After a change the worker recomputes the figures from that day on.',
} as const satisfies CommandSpec

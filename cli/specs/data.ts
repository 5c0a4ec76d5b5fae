import { PREDICTION_VENUES } from '../../db/values/prediction-venues.ts'
import { type CommandSpec, HIDE_WALLETS, JSON_OPTION } from '../command-spec.ts'

export const SYNC = {
  name: 'sync',
  group: 'data',
  help: 'sync a wallet or an exchange account now and show the progress',
  actions: {
    '': {
      help: 'request a sync as the API does, free of charge, and wait until it is done',
      operands: {
        subject: {
          value: 'ADDRESS|PORTFOLIO',
          help: 'address of a wallet, or an id from "sluice portfolios list"',
        },
      },
      options: {
        network: {
          kind: 'text',
          value: 'NETWORK',
          help: 'connectionId such as ethereum; default: all that fit',
        },
        'no-wait': { help: 'request the sync and exit' },
        ...JSON_OPTION,
      },
    },
  },
} as const satisfies CommandSpec

export const BACKFILL = {
  name: 'backfill',
  group: 'data',
  help: 'fetch missing prices of a time span',
  actions: {
    '': {
      help: 'fetch missing prices of a time span; stored prices are not fetched again',
      options: {
        from: { kind: 'instant', required: true, help: 'start of the span' },
        to: { kind: 'instant', help: 'end of the span; default: now' },
        resolution: { oneOf: ['day', 'hour'], default: 'day', help: 'one price a day or an hour' },
        coins: { kind: 'text', value: 'LIST', help: 'comma-separated coin ids; default: all listed coins' },
        'dry-run': { help: 'print how many requests it takes, and do nothing' },
        ...JSON_OPTION,
      },
    },
  },
  notes:
    'The stored prices of a coin have no gaps: prices between the span and the stored ones are fetched as well.',
} as const satisfies CommandSpec

export const REBUILD = {
  name: 'rebuild',
  group: 'data',
  help: 'derive stored wallet transactions of an older format again',
  actions: { '': { options: JSON_OPTION } },
  notes:
    'It reads raw tables, and old transactions from where the exports are (EXPORT_TO). It may be stopped at any moment. Without it, the next sync of a wallet rebuilds it.\nExit code 1: a wallet could not be rebuilt.',
} as const satisfies CommandSpec

export const RECORD = {
  name: 'record',
  group: 'data',
  help: 'call a source once and save its answer, without keys, as a recording for tests',
  actions: {
    '': {
      operands: { source: { value: 'SOURCE', help: 'source that is on, as in "sluice sources"' } },
      options: {
        to: { kind: 'text', value: 'FOLDER', default: 'recordings', help: 'folder of the recording' },
        'hide-wallets': HIDE_WALLETS,
        ...JSON_OPTION,
      },
    },
  },
  notes:
    'A worker with RECORD_DIR records every answer that it gets. "sluice sources drift --save" writes answers that have changed.',
} as const satisfies CommandSpec

export const EXPORT = {
  name: 'export',
  group: 'data',
  help: 'write Parquet files and a DuckDB catalog for analysts, and compare them with their source',
  actions: {
    '': {
      help: 'write the changes since the last export as Parquet files, and the catalog',
      options: {
        to: { kind: 'text', value: 'TARGET', help: 'where to write' },
        follow: { help: 'go on exporting what changes, until it is stopped' },
        every: {
          kind: 'integer',
          value: 'SECONDS',
          default: 60,
          least: 10,
          most: 86_400,
          help: 'with --follow: time from the start of an export to that of the next',
        },
        ...JSON_OPTION,
      },
    },
    verify: {
      help: 'recompute the sums of its columns and compare with the database and the API',
      operands: { target: { value: 'TARGET', optional: true } },
      options: JSON_OPTION,
    },
    dictionary: { help: 'write docs/data-dictionary.md' },
  },
  notes:
    'TARGET is a folder or s3://BUCKET/PREFIX; default: EXPORT_TO, else "export" in the home of the installation.',
} as const satisfies CommandSpec

const COLD_TARGET = { kind: 'text', value: 'TARGET', help: 'where the exports are' } as const
export const COLD = {
  name: 'cold',
  group: 'data',
  help: 'move old rows out of the database into files of the exports, and bring them back',
  actions: {
    '': { help: 'list the files that hold rows instead of the database', options: JSON_OPTION },
    move: {
      help: 'move whole months into files; rows leave the database once the stored file has been compared with them',
      options: {
        'older-than': {
          kind: 'integer',
          value: 'DAYS',
          default: 365,
          least: 38,
          most: 99_999,
          help: 'age of the months that move',
        },
        to: COLD_TARGET,
        ...JSON_OPTION,
      },
    },
    restore: {
      help: 'bring rows back into the database',
      operands: { month: { value: 'MONTH', optional: true, help: 'such as 2025-03; without it, all' } },
      options: { to: COLD_TARGET, ...JSON_OPTION },
    },
  },
  notes:
    'TARGET is that of "sluice export". Exports contain moved rows as before. Keep the files: the database no longer has their rows, nor do its backups.\nWallets are derived again from moved transactions: EXPORT_TO of the worker must be TARGET.',
} as const satisfies CommandSpec

export const IMPORT = {
  name: 'import',
  group: 'data',
  help: 'import prices from a CSV file',
  actions: {
    prices: {
      help: 'import all lines of the file, or none and print what is wrong with them',
      operands: { file: { value: 'FILE', help: 'CSV file with the header coin_id,at,usd' } },
      options: JSON_OPTION,
    },
  },
} as const satisfies CommandSpec

export const EXCHANGES = {
  name: 'exchanges',
  group: 'data',
  help: 'import fills, read lists again, and manage the keys that encrypt exchange credentials',
  actions: {
    import: {
      help: 'add fills the exchange no longer returns',
      operands: {
        portfolio: { value: 'PORTFOLIO' },
        file: { value: 'FILE', help: 'CSV file; if its header is wrong, the right one is printed' },
      },
      options: JSON_OPTION,
    },
    'read-again': {
      help: 'read all lists of all accounts at an exchange from their starts, with the next sync of each',
      operands: { exchange: { value: 'EXCHANGE', help: 'such as binance' } },
      options: JSON_OPTION,
    },
    'new-key': { help: 'create the next key for encrypting credentials', options: JSON_OPTION },
    'rotate-keys': { help: 'encrypt every stored secret under the newest key', options: JSON_OPTION },
  },
} as const satisfies CommandSpec

const ARTICLE = { id: { value: 'ID', help: 'id from GET /v1/news' } } as const

export const NEWS = {
  name: 'news',
  group: 'data',
  help: 'manage the handpicked list of articles',
  actions: {
    pick: { help: 'add an article to the handpicked list', operands: ARTICLE, options: JSON_OPTION },
    unpick: { help: 'remove an article from it', operands: ARTICLE, options: JSON_OPTION },
  },
} as const satisfies CommandSpec

const PAIR = { slug: { value: 'SLUG' }, other: { value: 'SLUG-AT-ANOTHER-VENUE' } } as const

export const PREDICTION = {
  name: 'prediction',
  group: 'data',
  help: 'match markets of two venues that ask the same question, and read fills again',
  actions: {
    matches: {
      help: 'list pairs with the reasons why they match or not',
      options: {
        status: { oneOf: ['auto', 'confirmed', 'rejected'], help: 'only pairs with this status' },
        relation: { oneOf: ['same', 'unclear', 'different'], help: 'only pairs with this relation' },
        limit: { kind: 'integer', default: 50, least: 1, most: 10_000, help: 'number of pairs' },
        ...JSON_OPTION,
      },
    },
    confirm: {
      help: 'confirm that two markets match',
      operands: PAIR,
      options: {
        inverted: { help: 'Yes of one is No of the other' },
        straight: { help: 'Yes of one is Yes of the other' },
        ...JSON_OPTION,
      },
    },
    reject: { help: 'decide that two markets do not match', operands: PAIR, options: JSON_OPTION },
    'read-again': {
      help: 'read the fills of markets with quarantined fills again, with the next run',
      operands: { venue: { value: PREDICTION_VENUES.join('|'), oneOf: PREDICTION_VENUES } },
      options: JSON_OPTION,
    },
  },
} as const satisfies CommandSpec

import { type CommandSpec, JSON_OPTION } from '../command-spec.ts'

export const SYNC = {
  name: 'sync',
  group: 'data',
  help: 'brings a wallet or an account at an exchange up to date now, and shows how far it is',
  actions: {
    '': {
      help: 'asks for a sync as the API does, free of charge, and waits until it is done',
      operands: {
        subject: { value: 'ADDRESS|PORTFOLIO', help: 'of a wallet, or an id of "sluice portfolios list"' },
      },
      options: {
        network: {
          kind: 'text',
          value: 'NETWORK',
          help: 'a connectionId such as ethereum; else all that fit',
        },
        'no-wait': { help: 'ask for it and leave' },
        ...JSON_OPTION,
      },
    },
  },
} as const satisfies CommandSpec

export const BACKFILL = {
  name: 'backfill',
  group: 'data',
  help: 'fetches prices that are missing in a span of time',
  actions: {
    '': {
      help: 'fetches prices that are missing in a span of time; what is stored is not fetched again',
      options: {
        from: { kind: 'instant', required: true, help: 'the beginning' },
        to: { kind: 'instant', help: 'the end; else now' },
        resolution: { oneOf: ['day', 'hour'], default: 'day', help: 'one price a day or an hour' },
        coins: { kind: 'text', value: 'LIST', help: 'coin ids, parted by commas; else all that are listed' },
        'dry-run': { help: 'say how many requests it takes, and do nothing' },
        ...JSON_OPTION,
      },
    },
  },
  notes:
    'Prices of a coin are one whole stretch: what lies between the span and what is stored is fetched as well.',
} as const satisfies CommandSpec

export const REBUILD = {
  name: 'rebuild',
  group: 'data',
  help: 'derives stored wallet transactions of an older format again',
  actions: { '': {} },
  notes:
    'It reads raw tables only and may be stopped at any moment. Without it each wallet is rebuilt by its next sync.\nExit code 1 when a wallet could not be rebuilt.',
} as const satisfies CommandSpec

export const RECORD = {
  name: 'record',
  group: 'data',
  help: 'asks a source once and keeps its answer as a recording for tests, without keys',
  actions: {
    '': {
      operands: { source: { value: 'SOURCE', help: 'one that is on, as in "sluice sources"' } },
      options: {
        to: { kind: 'text', value: 'FOLDER', default: 'recordings', help: 'where it is written' },
        ...JSON_OPTION,
      },
    },
  },
  notes: 'A worker with RECORD_DIR keeps every answer that it gets.',
} as const satisfies CommandSpec

export const EXPORT = {
  name: 'export',
  group: 'data',
  help: 'writes Parquet files and a DuckDB catalog for analysts, and compares them with their source',
  actions: {
    '': {
      help: 'writes what changed since the last export, as Parquet, and the catalog',
      options: { to: { kind: 'text', value: 'TARGET', help: 'where it is written' }, ...JSON_OPTION },
    },
    verify: {
      help: 'adds up its columns anew and compares with the database and the API',
      operands: { target: { value: 'TARGET', optional: true } },
      options: JSON_OPTION,
    },
    dictionary: { help: 'writes docs/data-dictionary.md' },
  },
  notes:
    'TARGET is a folder or s3://BUCKET/PREFIX; else EXPORT_TO, else "export" in the home of the installation.',
} as const satisfies CommandSpec

export const IMPORT = {
  name: 'import',
  group: 'data',
  help: 'price points from a CSV file',
  actions: {
    prices: {
      help: 'takes in all lines of the file, or none and what is wrong with them',
      operands: { file: { value: 'FILE', help: 'CSV with the header coin_id,at,usd' } },
    },
  },
} as const satisfies CommandSpec

export const EXCHANGES = {
  name: 'exchanges',
  group: 'data',
  help: 'fills from files, and the keys that credentials of exchanges are encrypted under',
  actions: {
    import: {
      help: 'adds fills that the exchange gives no more',
      operands: {
        portfolio: { value: 'PORTFOLIO' },
        file: { value: 'FILE', help: 'CSV; another header than ours is answered with ours' },
      },
    },
    'new-key': { help: 'makes the next key that credentials are encrypted under' },
    'rotate-keys': { help: 'puts every stored secret under the newest key' },
  },
} as const satisfies CommandSpec

const ARTICLE = { id: { value: 'ID', help: 'of GET /v1/news' } } as const

export const NEWS = {
  name: 'news',
  group: 'data',
  help: 'the handpicked list of articles',
  actions: {
    pick: { help: 'puts an article on the handpicked list', operands: ARTICLE },
    unpick: { help: 'takes it off', operands: ARTICLE },
  },
} as const satisfies CommandSpec

const PAIR = { polymarket: { value: 'POLYMARKET-SLUG' }, kalshi: { value: 'KALSHI-SLUG' } } as const

export const PREDICTION = {
  name: 'prediction',
  group: 'data',
  help: 'markets of two venues that ask the same',
  actions: {
    matches: {
      help: 'pairs, with why they are one or not',
      options: {
        status: { oneOf: ['auto', 'confirmed', 'rejected'], help: 'who said so' },
        relation: { oneOf: ['same', 'unclear', 'different'], help: 'what they are to each other' },
        limit: { kind: 'integer', default: 50, least: 1, most: 10_000, help: 'how many' },
        ...JSON_OPTION,
      },
    },
    confirm: {
      help: 'they are the same',
      operands: PAIR,
      options: {
        inverted: { help: 'Yes of the one is No of the other' },
        straight: { help: 'Yes of the one is Yes of the other' },
      },
    },
    reject: { help: 'they are not', operands: PAIR },
  },
} as const satisfies CommandSpec

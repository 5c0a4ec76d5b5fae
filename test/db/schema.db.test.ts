import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrate } from '../../db/migrate.ts'
import { printSchema } from '../../db/print-schema.ts'
import { sqlFiles } from '../../db/sql-files.ts'
import { NETWORKS } from '../../db/values/networks.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const DB = join(import.meta.dirname, '../../db')
const database = await testDatabase()

const TYPES: Record<string, string> = {
  text: 'string',
  integer: 'number',
  smallint: 'number',
  bigint: 'string',
  numeric: 'string',
  boolean: 'boolean',
  uuid: 'string',
  bytea: 'Buffer',
  jsonb: 'unknown',
  tsvector: 'string',
  ARRAY: 'string[]',
  xid8: 'string',
  pg_snapshot: 'string',
  'double precision': 'number',
  date: 'Date',
  'timestamp with time zone': 'Date',
}

interface Column {
  table_name: string
  column_name: string
  data_type: string
  is_nullable: 'YES' | 'NO'
  filled: boolean
}

test('the row types match the columns of the migrated tables', async () => {
  const columns = await query<Column>(
    database.ownerUrl,
    `select table_name, column_name, data_type, is_nullable,
            column_default is not null or is_identity = 'YES' or is_generated = 'ALWAYS' as filled
     from information_schema.columns
     join pg_class c on c.relname = table_name and c.relnamespace = 'public'::regnamespace
     where table_schema = 'public' and not c.relispartition and table_name not like 'kysely_%' and table_name <> 'applied_sql'
     order by table_name, ordinal_position`,
  )
  const inDatabase: Record<string, Record<string, string>> = {}
  for (const column of columns) {
    const known = TYPES[column.data_type]
    // The type unknown already includes null.
    const type = column.is_nullable === 'YES' && known !== 'unknown' ? `${known} | null` : known!
    inDatabase[column.table_name] ??= {}
    inDatabase[column.table_name]![column.column_name] = column.filled ? `filled ${type}` : type
  }
  expect(rowTypes()).toEqual(inDatabase)
})

test('db/schema.sql equals the migrated schema', async () => {
  const stored = readFileSync(join(DB, 'schema.sql'), 'utf8')
  expect(await printSchema(database.ownerUrl), 'run "npm run sluice -- schema" and commit the result').toBe(
    stored,
  )
})

test('migrating again changes nothing, also from many processes at once', async () => {
  const lines: string[] = []
  const run = () =>
    migrate({ databaseUrl: database.ownerUrl, passwords: {}, log: (line) => lines.push(line) })
  await Promise.all([run(), run(), run(), run()])
  expect(lines).toEqual([])
})

test('every function and view has a file of its name, or is in the migration that needs it', async () => {
  const made = await query<{ name: string }>(
    database.ownerUrl,
    `select 'functions/' || concat(nullif(p.pronamespace::regnamespace || '.', 'public.'), p.proname) as name from pg_proc p
       where p.pronamespace in ('public'::regnamespace, 'past'::regnamespace, 'as_of'::regnamespace)
     union
     select 'views/' || c.oid::regclass from pg_class c
       where c.relkind = 'v' and c.relnamespace in ('public'::regnamespace, 'operations'::regnamespace)
     order by 1`,
  )
  const files = (['functions', 'views'] as const).flatMap((kind) =>
    sqlFiles(kind).map(({ name }) => `${kind}/${name}`),
  )
  const inMigrations = sqlFiles('migrations').flatMap(({ url }) =>
    [...readFileSync(url, 'utf8').matchAll(/^create function ([\w.]+)/gm)].map(
      ([, name]) => `functions/${name}`,
    ),
  )
  expect([...files, ...inMigrations].sort()).toEqual(made.map(({ name }) => name).sort())
})

/** Types by table and column, as the tables.ts files of the areas declare them. */
function rowTypes(): Record<string, Record<string, string>> {
  const interfaces = new Map<string, Record<string, string>>()
  const tables: Record<string, string> = {}
  const names = new Map<string, string>()
  for (const area of readdirSync(DB, { withFileTypes: true })) {
    if (!area.isDirectory()) continue
    const files = readdirSync(join(DB, area.name)).filter((name) => /^(?:.+-)?tables\.ts$/.test(name))
    const text = files.map((name) => readFileSync(join(DB, area.name, name), 'utf8')).join('\n')
    for (const [, name] of text.matchAll(/^(?:export )?type (\w+) =(?! \{)/gm)) names.set(name!, 'string')
    // Roles and treatments are text. test/pnl/roles.db.test.ts compares their words with the constraints.
    for (const [, list] of text.matchAll(/^import type \{ (.+) \} from '.*\/roles\.ts'$/gm))
      for (const name of list!.split(', ')) names.set(name, 'string')
    for (const [, name, body] of text.matchAll(/export interface (\w+)(?: extends \w+)? \{\n(.*?)\n\}/gs)) {
      const fields: Record<string, string> = {}
      for (const [, field, type] of body!.matchAll(/^ {2}(\w+): (.+)$/gm)) fields[field!] = type!
      interfaces.set(name!, fields)
    }
    for (const [, body] of text.matchAll(/^ {2}interface Database \{\n(.*?)\n {2}\}/gms))
      for (const [, table, row] of body!.matchAll(/^ {4}(\w+): (.+)$/gm)) tables[table!] = row!
  }
  const typed = Object.entries(tables).map(([table, row]) => {
    const fields = Object.entries(interfaces.get(row) ?? {})
    return [table, Object.fromEntries(fields.map(([name, type]) => [name, plain(type, names)]))] as const
  })
  return Object.fromEntries(typed)
}

/** Replaces string literals, and types that have a name, by string, because the database has text. */
function plain(type: string, names: Map<string, string>): string {
  const filled = /^Generated(?:Always)?<(.+)>$/.exec(type)
  if (filled) return `filled ${plain(filled[1]!, names)}`
  const parts = type.split(' | ').map((part) => names.get(part) ?? (part.startsWith("'") ? 'string' : part))
  return [...new Set(parts)].join(' | ')
}

test('the table networks says of each network what the code says', async () => {
  const rows = await query(
    database.ownerUrl,
    `select id, blockchain, kind, name, icon, chain_id::int as "chainId",
       jsonb_build_object('id', coin_id, 'symbol', symbol, 'decimals', decimals) as coin, wrapped_address as wrapped,
       explorer_url as "explorerUrl", reorg_depth as "reorgDepth", block_ms as "blockMs", head_tag as "headTag", unproven,
       native_token as "nativeToken", in_all as "inAll", position
     from networks order by position`,
  )
  expect(rows).toEqual(
    NETWORKS.map(
      (
        {
          multicall3: _m,
          spellings: _s,
          history: _h,
          publicNodes: _p,
          names: _n,
          alchemyNfts: _a,
          utxo: _u,
          cosmos: _c,
          ...stored
        },
        i,
      ) => ({ ...stored, position: i + 1 }),
    ),
  )
})

test('prices of native coins are kept, and EVM networks know the entry points of smart accounts', async () => {
  const coins = await query(
    database.ownerUrl,
    `select id from networks where coin_id not in (select coin_id from past.coins_held)`,
  )
  expect(coins).toEqual([])
  const others = await query(
    database.ownerUrl,
    `select id from networks where entry_points <> case kind when 'evm' then (
       select entry_points from networks where id = 'ethereum'
     ) else '{}' end`,
  )
  expect(others).toEqual([])
  const [ethereum] = await query<{ entry_points: string[] }>(
    database.ownerUrl,
    `select entry_points from networks where id = 'ethereum'`,
  )
  expect(ethereum!.entry_points).toHaveLength(4)
})

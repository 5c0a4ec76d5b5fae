import pg from 'pg'
import { ROLES } from './migrate.ts'

interface Line {
  line: string
}

/**
 * The migrated schema as text, in an order that does not depend on the order of migrations: tables with
 * columns, constraints, indexes and triggers, views, functions and the rights of the login roles. Partitions
 * are left out, because they follow their parent.
 */
export async function printSchema(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const sections: string[] = []
    for (const { schema, name } of await rows<{ schema: string; name: string }>(client, TABLES)) {
      const lines = await rows<Line>(client, TABLE_LINES, [schema, name])
      const title = schema === 'public' ? name : `${schema}.${name}`
      sections.push([`table ${title}`, ...lines.map(({ line }) => `  ${line}`)].join('\n'))
    }
    for (const { line } of await rows<Line>(client, FUNCTIONS)) sections.push(line.trimEnd())
    return `-- Made by "sluice schema": the result of the SQL in db/. Do not edit.\n\n${sections.join('\n\n')}\n`
  } finally {
    await client.end()
  }
}

async function rows<T extends pg.QueryResultRow>(
  client: pg.Client,
  sql: string,
  values: unknown[] = [],
): Promise<T[]> {
  return (await client.query<T>(sql, values)).rows
}

const SCHEMAS = `'public', 'past', 'as_of', 'operations'`
const ROLE_LIST = `(${ROLES.map((role) => `'${role}'`).join(', ')})`

const TABLES = `
  select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in (${SCHEMAS}) and c.relkind in ('r', 'p', 'v') and not c.relispartition
    and c.relname not like 'kysely_%' and c.relname <> 'applied_sql'
  order by n.nspname <> 'public', 1, 2`

const TABLE_LINES = `
  with t as (select c.oid, c.relkind, c.relpersistence, c.reloptions from pg_class c
             where c.relnamespace = $1::text::regnamespace and c.relname = $2)
  select line from (
    select 0 as part, 0 as n, 'unlogged' as line from t where relpersistence = 'u'
    union all
    select 0, 1, 'with ' || array_to_string(reloptions, ', ') from t where reloptions is not null
    union all
    select 1, a.attnum, a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
        || case when a.attnotnull then ' not null' else '' end
        || case a.attidentity when 'a' then ' generated always as identity' else '' end
        || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
      from t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
    union all
    select 2, row_number() over (order by k.contype, k.conname), 'constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid)
      from t join pg_constraint k on k.conrelid = t.oid and k.contype <> 'n'
    union all
    select 3, 0, 'partition by ' || pg_get_partkeydef(t.oid) from t join pg_partitioned_table p on p.partrelid = t.oid
    union all
    select 4, row_number() over (order by i.indexrelid::regclass::text), pg_get_indexdef(i.indexrelid)
      from t join pg_index i on i.indrelid = t.oid
      where not exists (select from pg_constraint k where k.conindid = i.indexrelid)
    union all
    select 5, row_number() over (order by g.grantee), 'grant ' || g.rights || ' to ' || g.grantee
      from (select grantee, string_agg(lower(privilege_type), ', ' order by privilege_type) as rights
            from information_schema.role_table_grants
            where table_schema = $1::text and table_name = $2 and grantee in ${ROLE_LIST}
            group by grantee) g
    union all
    select 6, row_number() over (order by g.tgname), pg_get_triggerdef(g.oid, true)
      from t join pg_trigger g on g.tgrelid = t.oid and not g.tgisinternal
    union all
    select 7, 0, 'as' || E'\n' || rtrim(pg_get_viewdef(t.oid, true), ';') from t where relkind = 'v'
  ) lines order by part, n`

const FUNCTIONS = `
  select pg_get_functiondef(p.oid) || coalesce(
      (select string_agg('grant execute to ' || r.rolname, E'\\n' order by r.rolname)
       from pg_roles r where r.rolname in ${ROLE_LIST} and has_function_privilege(r.oid, p.oid, 'execute')), '') as line
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname in (${SCHEMAS})
  order by n.nspname <> 'public', n.nspname, p.proname, p.oid::regprocedure::text`

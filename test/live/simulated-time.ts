import { query } from '../setup/query.ts'
import type { TestDatabase } from '../setup/database.ts'

/**
 * Has the database tell the time of a simulation: a schema before pg_catalog has its own now() and
 * clock_timestamp(), and views and defaults that were made with the others are made again. Returns the URL to connect
 * by, and what sets the time.
 */
export async function simulateTime(
  database: TestDatabase,
  startMs: number,
): Promise<{ url: string; set: string }> {
  const { ownerUrl, ingestUrl } = database
  const simulated = (url: string) => {
    const own = new URL(url)
    own.searchParams.set('options', '-c search_path=simulated,public,pg_catalog')
    return own.href
  }
  const views = await query<{ name: string; text: string }>(
    ownerUrl,
    `select format('%I.%I', schemaname, viewname) as name, definition as text from pg_views
     where schemaname = 'public' and definition ~ '(now|clock_timestamp)\\(\\)'`,
  )
  const defaults = await query<{ name: string; column: string; text: string }>(
    ownerUrl,
    `select adrelid::regclass::text as name, quote_ident(attname) as column, pg_get_expr(adbin, adrelid) as text
     from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum
     where pg_get_expr(adbin, adrelid) in ('now()', 'clock_timestamp()') and adrelid::regclass::text not like 'past.%'`,
  )
  const time = (name: string) =>
    `create function simulated.${name}() returns timestamptz language sql volatile as 'select at from simulated.clock';`
  await query(
    ownerUrl,
    `create schema simulated;
     create unlogged table simulated.clock (at timestamptz not null);
     insert into simulated.clock values (to_timestamp(${startMs} / 1000.0));
     ${['now', 'clock_timestamp'].map(time).join('\n')}
     grant usage on schema simulated to ingest;
     grant select, update on simulated.clock to ingest`,
  )
  const changes = [
    ...views.map(({ name, text }) => `create or replace view ${name} as ${text}`),
    ...defaults.map(({ name, column, text }) => `alter table ${name} alter ${column} set default ${text}`),
  ]
  for (const change of changes) await query(simulated(ownerUrl), change)
  return {
    url: simulated(ingestUrl),
    set: 'update simulated.clock set at = to_timestamp($1::float8 / 1000)',
  }
}

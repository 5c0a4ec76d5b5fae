import pg from 'pg'

/** Temporal's databases and their schemas. */
export const TEMPORAL_DATABASES = { temporal: 'temporal', temporal_visibility: 'visibility' } as const

/** Gives `temporal` the tables and functions of installations in which the owner ran Temporal. */
const TAKE_OVER = `do $$
declare object text;
begin
  for object in
    select format('table %s', oid::regclass) from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relowner <> 'temporal'::regrole
    union all
    select format('function %s', p.oid::regprocedure) from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.proowner <> 'temporal'::regrole
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  loop
    execute format('alter %s owner to temporal', object);
  end loop;
end $$`

/** Creates the role `temporal` and its databases. It owns them and may read and write nothing else. */
export async function prepareTemporalDatabases({
  urlOf,
  password,
}: {
  /** Returns the URL of a database, for a role that may create roles and databases. */
  urlOf: (database: string) => string
  password: string
}): Promise<void> {
  const databases = Object.keys(TEMPORAL_DATABASES)
  await withClient(urlOf('postgres'), async (client) => {
    const role = await client.query(`select from pg_roles where rolname = 'temporal'`)
    if (role.rowCount === 0) await client.query('create role temporal')
    await client.query(`alter role temporal login password ${client.escapeLiteral(password)}`)
    for (const name of databases) {
      const database = await client.query('select from pg_database where datname = $1', [name])
      const statement =
        database.rowCount === 0 ? 'create database % owner temporal' : 'alter database % owner to temporal'
      await client.query(statement.replace('%', name))
    }
  })
  for (const name of databases) await withClient(urlOf(name), (client) => client.query(TAKE_OVER))
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

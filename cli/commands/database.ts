import { operatorDatabaseUrl, withOperatorDatabase } from '../operator-database.ts'

/** Prints `export` lines that a shell can evaluate. */
export async function run(): Promise<void> {
  const { folder, port } = await withOperatorDatabase(async (_, pool) => {
    const { rows } = await pool.query<{ folder: string; port: string }>(
      `select current_setting('data_directory') as folder, current_setting('port') as port`,
    )
    return rows[0]!
  })
  const settings = { DATABASE_URL: await operatorDatabaseUrl(), PGDATA: folder, PGPORT: port }
  for (const [name, value] of Object.entries(settings)) console.log(`export ${name}=${quoted(value)}`)
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

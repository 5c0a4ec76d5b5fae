import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { CompiledQuery } from 'kysely'
import { readWalletPages } from '../../../db/chain/read-transactions.ts'
import type { ReadonlyDb } from '../../../db/schema.ts'
import type { Tool } from '../shared/debian-tool.ts'
import { ADDRESS_SQL, FIRST_WALLET } from './seed.ts'

const run = promisify(execFile)

/** Writes the product's page statement as a pgbench script for random wallets. */
export async function writePageScript(file: string, wallets: number): Promise<void> {
  let text = ''
  const recorder = {
    executeQuery: (query: CompiledQuery) => {
      text = query.sql
      return Promise.resolve({ rows: [] })
    },
  }
  await readWalletPages(recorder as unknown as ReadonlyDb, { allNetworks: false, requests: [] })
  const values = [
    `array[${ADDRESS_SQL(':n::bigint')}]`,
    `array['ethereum']`,
    'array[0]',
    'array[20]',
    'array[null]',
  ]
  const statement = values.reduce((sql, value, index) => sql.replace(`$${index + 1}`, () => value), text)
  await writeFile(file, `\\set n random(${FIRST_WALLET}, ${FIRST_WALLET + wallets - 1})\n${statement};\n`)
}

/** Measures with pgbench how many pages per second role `api` reads over a number of connections. */
export async function pgbench(
  tool: Tool,
  options: { script: string; port: number; connections: number; seconds: number },
): Promise<number> {
  const { script, port, connections, seconds } = options
  const { stdout } = await run(
    tool.program,
    [
      '-n',
      '-M',
      'prepared',
      '-c',
      String(connections),
      '-j',
      String(Math.min(2, connections)),
      '-T',
      String(seconds),
      '-f',
      script,
      '-h',
      '127.0.0.1',
      '-p',
      String(port),
      '-U',
      'api',
      'postgres',
    ],
    { env: { ...tool.env, PGPASSWORD: 'api' } },
  )
  const tps = /tps = ([\d.]+)/.exec(stdout)?.[1]
  if (tps === undefined || /number of failed transactions: [1-9]/.test(stdout))
    throw new Error(`pgbench: ${stdout}`)
  return Number(tps)
}

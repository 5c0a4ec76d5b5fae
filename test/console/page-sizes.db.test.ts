import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setOperator } from '../../db/metering/write.ts'
import { OPERATOR_SUBJECT } from '../../db/values/demo-names.ts'
import { VARIABLES } from '../../ops/settings/variables.ts'
import { WORKFLOWS } from '../../web/console/workflow-pages.ts'
import { startAccountWorld } from '../account/account-world.ts'
import { probeRoutes } from '../api/probe-routes.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { insertMoney, insertSources } from './console-data.ts'

/** What a page may weigh on the wire, with the script that it loads. */
const MOST_BYTES = 50 * 1_024
const SCRIPT = readFileSync(new URL('../../web/console/live.js', import.meta.url)).length

const folder = mkdtempSync(join(tmpdir(), 'sluice-sizes-'))
const database = await testDatabase()
const env = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, 'https://upstream.example/a/b/c']))
const world = await startAccountWorld({ database, routes: probeRoutes, logFolder: folder, env })
const { api, url, issuer, signIn } = world
let cookie: string

/** Every list longer than its page shows, with texts as long as they come. */
beforeAll(async () => {
  const { large } = await insertSources(api.owner)
  const [account, other] = [await api.newAccount(), await api.newAccount()]
  await insertMoney(database.ownerUrl, { big: account.accountId, small: other.accountId })
  const fill = (sql: string) => query(database.ownerUrl, sql)
  await fill(`insert into accounts (name, plan)
    select 'Example Capital Partners ' || n, 'pro' from generate_series(1, 200) n`)
  await fill(`insert into operator_actions (operator, action, subject)
    select 'operator-' || md5(n::text), 'limit a source to 0.25 requests a second, 3 at once, 500 a day', md5(n::text)
    from generate_series(1, 300) n`)
  await fill(`insert into incidents (rule, subject, severity, summary, since, fired_at)
    select 'SourceLate', 'source-' || n, 'ticket', repeat('has not answered for 3 h ', 4), now(), now()
    from generate_series(1, 40) n`)
  await fill(`insert into quarantine (source, area, reason, payload, fetched_at, activity, input)
    select 'source-' || n % 30, 'prices', md5(n::text) || ': expected a number', '{"id": "x"}', now(), 'refreshQuotes', 'null'
    from generate_series(1, 300) n`)
  await fill(`insert into payments (chain_id, asset, payer, nonce, amount, resource_key, authorization_hash, valid_before,
      state, claim, try_after, transaction, claimed_at, settled_at, settles)
    select 8453, '0x' || repeat('a', 40), '0x' || md5(n::text) || 'cacacaca', '0x' || md5(n::text) || md5(n::text), 1500,
      sha256(n::text::bytea), sha256(n::text::bytea), now(), 'settled', gen_random_uuid(), now(),
      '0x' || md5(n::text) || md5((-n)::text), now(), now(), 1
    from generate_series(1000, 1300) n`)
  await fill(`insert into operators (issuer, subject)
    select '${issuer}', 'operator-' || md5(n::text) from generate_series(1, 50) n`)
  const line = (n: number) =>
    JSON.stringify({ time: Date.now(), level: 40, name: 'worker', msg: `${n} ${'status 500 '.repeat(50)}` })
  writeFileSync(join(folder, 'worker.log'), `${Array.from({ length: 500 }, (_, n) => line(n)).join('\n')}\n`)
  await setOperator(api.owner, { issuer, subject: OPERATOR_SUBJECT, isOperator: true })
  const { browser } = await signIn({ as: OPERATOR_SUBJECT, to: 'console' })
  cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  paths.push(`/console/quarantine/${large}`, `/console/accounts/${account.accountId}`)
})
afterAll(() => rmSync(folder, { recursive: true }))

const paths = [
  '/console',
  '/console/incidents',
  '/console/runbooks/SourceLate',
  '/console/schedules',
  WORKFLOWS,
  '/console/sources/coingecko',
  '/console/syncs',
  '/console/backfill',
  '/console/quarantine',
  '/console/quarantine?source=source-1',
  '/console/money',
  '/console/payments',
  '/console/accounts',
  '/console/operators',
  '/console/users',
  '/console/system',
  '/console/logs',
]

test('every page of the console with full lists stays under 50 kB on the wire, with its script', async () => {
  const sizes = await Promise.all(paths.map(async (path) => [path, await bytesOf(path)] as const))
  expect(sizes.filter(([, bytes]) => bytes + SCRIPT > MOST_BYTES)).toEqual([])
})

/** Bytes of the body as sent, which `fetch` would decompress. */
const bytesOf = (path: string) =>
  new Promise<number>((resolve, reject) => {
    get(url + path, { headers: { cookie, 'accept-encoding': 'gzip' } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`))
      let bytes = 0
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.on('end', () => resolve(bytes))
    }).on('error', reject)
  })

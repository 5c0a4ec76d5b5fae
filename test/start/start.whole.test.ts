import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { answersJson, openApiDocument } from '../../api/openapi.ts'
import { routes } from '../../api/routes.ts'
import { demoApi, type Send } from '../../cli/first-run/demo-api.ts'
import { demoExchange } from '../../cli/first-run/demo-exchange.ts'
import { demoPortfolios } from '../../cli/first-run/demo-portfolios.ts'
import { openDb } from '../../db/connect.ts'
import { sluiceOn } from '../cli/sluice-on.ts'
import { readPage } from '../docs/read-page.ts'
import { runGuide } from '../docs/run-guide.ts'
import { askCatalog, compareExamples, QUERIES } from '../export/compare-examples.ts'
import { argumentsOf } from '../mcp/arguments-of.ts'
import { elsewhere, type Elsewhere, isRoot, NOBODY } from './elsewhere.ts'
import { exampleOf, type Walker } from './examples.ts'
import { binanceKeys } from '../../sandbox/exchanges/keys.ts'
import { oneTruth } from '../portfolios/one-truth.ts'
import { query } from '../setup/query.ts'
import { hasSubstance } from './has-substance.ts'
import { interrupt } from './interrupt.ts'
import { databaseUrlOf, LAUNCHER, type RunningSluice, startSluice } from './running.ts'
import { systemNode } from './system-node.ts'

/** Schedules start with a jitter, and their data takes time to arrive. */
const PATIENCE_MS = 120_000

const run = promisify(execFile)
let place: Elsewhere
let sluice: RunningSluice
/** Exports of an analyst, beside the installation, whose account is another. Guides do not quote the path. */
const exports = mkdtempSync(join(tmpdir(), 'sluice-exports-'))
const analyst = join(exports, 'analyst')

test.each([20, 22, 24] as const)('the launcher works with Node %i of the system', async (major) => {
  const node = await systemNode(major)
  expect((await run(node, ['--version'])).stdout).toMatch(new RegExp(`^v${major}\\.`))
  const { stdout } = await run(node, [LAUNCHER, 'help'], { env: { PATH: '/usr/bin:/bin', HOME: tmpdir() } })
  expect(stdout).toContain('set everything up and run it')
})

// One file for all tests that start an installation, because two at once would use the same ports.
for (const after of ['temporal is up', 'postgres is up', 'api is up'])
  test(`Ctrl-C right after "${after}" leaves no process behind`, async () => {
    const { printed, marks, left, cleared } = await interrupt({ after, signal: 'SIGINT' })
    expect(marks.length).toBeGreaterThan(2)
    expect(left).toEqual([])
    expect(cleared).toBe(true)
    expect(printed).toContain('everything is stopped')
    expect(printed).not.toContain('unexpected')
  })

test('killing the launcher stops everything', async () => {
  const { printed, left } = await interrupt({ after: 'postgres is up', signal: 'SIGKILL' })
  expect(left).toEqual([])
  expect(printed).toContain('the launcher is gone: stopping')
})

describe('after npm start as another user, from a read-only folder with a space, without git', () => {
  beforeAll(async () => {
    place = await elsewhere()
    sluice = await startSluice(place)
  }, 400_000)
  afterAll(async () => {
    await sluice?.stop()
    await place?.remove()
    rmSync(exports, { recursive: true })
  })

  const gets = routes
    .filter(({ method, kind }) => method === 'GET' && kind !== 'stream')
    .map(({ path }) => path)

  test('only its user can read the home: logs, databases, chains, secrets', () => {
    const names = readdirSync(sluice.home).filter((name) => name !== 'postgres')
    expect(names).toEqual(
      expect.arrayContaining(['logs', 'chains', 'temporal.sqlite', 'temporal.sqlite-wal']),
    )
    const inside = names.flatMap((name) => globSync(`${name}/**`, { cwd: sluice.home }))
    const open = inside.filter((name) => (statSync(join(sluice.home, name)).mode & 0o077) !== 0)
    expect(open).toEqual([])
    expect(statSync(sluice.home).mode & 0o066).toBe(0)
    const database = statSync(join(sluice.home, 'postgres'))
    expect(database.mode & 0o077).toBe(0)
    expect(database.uid).toBe(isRoot ? NOBODY : process.getuid?.())
  })

  test('the printed calls return data', async () => {
    const calls = [...sluice.output().matchAll(/^curl -s -H 'X-API-KEY: \S+' '(\S+)'$/gm)]
    expect(calls.length).toBe(3)
    for (const [, url] of calls) {
      const { status, body } = await ask(url!.slice(sluice.url.length))
      expect(status, url).toBe(200)
      expect(hasSubstance(body), url).toBe(true)
    }
  })

  test('the demo account has three portfolios, and the next start writes nothing to them', async () => {
    const owner = openDb({ url: databaseUrlOf(sluice.home), maxConnections: 1, applicationName: 'test' })
    const deadlineMs = Date.now() + PATIENCE_MS
    const sent = demoApi({ apiUrl: sluice.url, key: sluice.key, deadlineMs })
    const written: string[] = []
    const send: Send = (method, path, body) => {
      if (method !== 'GET') written.push(path)
      return sent(method, path, body)
    }
    const options = { send, key: sluice.key, db: owner.db, deadlineMs }
    const exchangeId = await demoExchange(options)
    const wallet = { address: sluice.wallet, connectionId: 'ethereum' }
    expect(await demoPortfolios({ ...options, wallet })).toEqual([
      { portfolioId: exchangeId, portfolioName: 'Demo', portfolioType: 'exchange' },
      { portfolioId: expect.any(String), portfolioName: 'Demo wallet', portfolioType: 'wallet' },
      { portfolioId: expect.any(String), portfolioName: 'By hand', portfolioType: 'manual' },
    ])
    expect(written).toEqual([])
    await owner.close()
    const { body } = await ask('/portfolio/transactions?currency=EUR&limit=100&coinId=bitcoin')
    const noted = body.data.filter(({ note }: { note?: string }) => note !== undefined)
    expect(noted.map(({ note, transactionType }: any) => [note, transactionType])).toEqual([
      ['For the holidays', 'Sell'],
      ['The first one', 'Buy'],
    ])
  })

  test.each(gets)('%s answers with data that came through its workflow', async (path) => {
    const deadlineMs = Date.now() + PATIENCE_MS
    const walker: Walker = {
      wallet: sluice.wallet,
      send: (method, target, body) => ask(target, method, body),
    }
    for (;;) {
      const target = await exampleOf(path)(walker)
      const answer = target === null ? null : await ask(target)
      if (answer?.status === 200 && hasSubstance(answer.body)) {
        expect(answer.headers.get('x-data-source'), target!).toBe('sandbox')
        return
      }
      if (Date.now() > deadlineMs) {
        expect.fail(`${target ?? path}: ${answer?.status} ${JSON.stringify(answer?.body)?.slice(0, 500)}`)
      }
      await sleep(1_000)
    }
  })

  test('an agent gets the same data by the name of each GET', async () => {
    const client = new Client({ name: 'test', version: '1' })
    const env = { ...process.env, SLUICE_URL: sluice.url, SLUICE_API_KEY: sluice.key } as Record<
      string,
      string
    >
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [LAUNCHER, 'mcp'], env }),
    )
    const walker: Walker = {
      wallet: sluice.wallet,
      send: (method, target, body) => ask(target, method, body),
    }
    for (const [path, { get }] of Object.entries(openApiDocument(routes).paths)) {
      if (!get || !answersJson(get)) continue
      const { parameters, operationId: name } = get
      // Data may be missing for a moment, because a portfolio is recomputed after a sync.
      await vi.waitFor(
        async () => {
          const target = await exampleOf(path)(walker)
          expect([path, target]).not.toEqual([path, null])
          const asked = argumentsOf({ path, parameters }, target!)
          const result = await client.callTool({ name, arguments: asked })
          const { isError = false, content } = result
          const { text } = content[0] as { text: string }
          expect([target, isError, hasSubstance(JSON.parse(text))]).toEqual([target, false, true])
        },
        { timeout: 120_000, interval: 1_000 },
      )
      // Stays within the rate limit of the key.
      await sleep(100)
    }
    await client.close()
  })

  test('every endpoint gives the same sums', async () => {
    const followed = await query<{ id: string; kind: string; address: string; network_id: string }>(
      databaseUrlOf(sluice.home),
      'select id, kind, address, network_id from portfolios where account_id is not null',
    )
    const { apiKey, apiSecret } = binanceKeys[0]!
    const exchange = { connectionId: 'binance', connectionFields: { apiKey, apiSecret } }
    const ofKind = (kind: string) => followed.filter((one) => one.kind === kind)
    // A new quote may come between two answers.
    await vi.waitFor(
      async () => {
        const { compared, differences } = await oneTruth({
          ask: (target, body) => answered(target, body),
          wallets: Object.fromEntries(
            ofKind('wallet').map(({ id, address, network_id: connectionId }) => [
              id,
              { address, connectionId },
            ]),
          ),
          exchanges: Object.fromEntries(ofKind('exchange').map(({ id }) => [id, exchange])),
          hasDefi: true,
        })
        expect(differences).toEqual([])
        expect(compared).toBeGreaterThan(100)
      },
      { timeout: 120_000, interval: 1_000 },
    )
  })

  // The guide docs/analyst.md also verifies the export against the database.
  test('the examples of an export agree with the API', async () => {
    const command = sluiceOn({ SLUICE_HOME: sluice.home })
    const folder = join(exports, 'examples')
    const { body } = await ask('/portfolio/list')
    const compared = async () => {
      expect(command('export', '--to', folder)).toMatchObject({ status: 0, stderr: '' })
      return compareExamples({
        folder,
        wallet: sluice.wallet.toLowerCase(),
        portfolio: body.result.find((one: any) => one.portfolioType === 'exchange').portfolioId,
        coin: 'bitcoin',
        answer: async (path) => (await ask(path)).body,
      })
    }
    // A new price may arrive between export and comparison.
    const figures = await vi.waitFor(compared, { timeout: 120_000, interval: 1_000 })
    expect(Math.min(...Object.values(figures))).toBeGreaterThan(3)
  })

  describe('the guides work as written', () => {
    /** Values of the pages that differ in this installation. */
    const values = () => ({
      '127.0.0.1:8080': new URL(sluice.url).host,
      '127.0.0.1:8402': `127.0.0.1:${sluice.gatewayPort}`,
      '127.0.0.1:9464': `127.0.0.1:${sluice.metricsPorts.api}`,
      '127.0.0.1:9466': `127.0.0.1:${sluice.metricsPorts.worker}`,
      '/tmp/sluice-export': analyst,
      'sl_...': sluice.key,
    })

    test.each(['operator', 'consumer', 'analyst'])('docs/%s.md', async (name) => {
      const page = `docs/${name}.md`
      const env = { SLUICE_HOME: sluice.home }
      await runGuide({ page, text: readPage(page), values: values(), env })
    })

    test.each(QUERIES)('docs/analyst.md, query in line $line', async ({ text }) => {
      const rows = await askCatalog(analyst, text)
      // A column that is null in every row would not be what the page promises.
      const columns = Object.keys(rows[0] ?? {})
      expect(columns.filter((column) => rows.some((row) => row[column] !== null))).toEqual(columns)
      expect(rows).not.toEqual([])
    })
  })

  // The last test, because it ends the installation.
  test('a start with the database of a newer release changes nothing and says why', async () => {
    const newer = '99990101-0000-newer'
    await query(databaseUrlOf(sluice.home), `insert into kysely_migration values ('${newer}', '2099-01-01')`)
    await sluice.end()
    // Commands of the guides ran as this account and left files of its own.
    if (isRoot) await run('chown', ['-R', `${NOBODY}:${NOBODY}`, sluice.home])
    const before = contents(sluice.home)
    await expect(startSluice(place)).rejects.toThrow(`has migration ${newer}`)
    expect(contents(sluice.home)).toEqual(before)
  })
})

/** Digests of the files of an installation, without its database, whose files change whenever it runs. */
function contents(home: string): Record<string, string> {
  const files = ['secrets.json', 'temporal.sqlite', ...globSync('chains/*', { cwd: home })]
  const digest = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(home, file)))
      .digest('hex')
  return Object.fromEntries(files.map((file) => [file, digest(file)]))
}

/** The body of an answer with status 200, asked again where the rate of the key is spent. */
async function answered(target: string, body?: unknown) {
  for (;;) {
    const answer = await ask(target, body === undefined ? 'GET' : 'POST', body)
    if (answer.status === 200) return answer.body
    if (answer.status !== 429) throw new Error(`${target}: ${answer.status} ${JSON.stringify(answer.body)}`)
    await sleep(1_000)
  }
}

async function ask(target: string, method = 'GET', body?: unknown) {
  const response = await fetch(`${sluice.url}${target}`, {
    method,
    headers: { 'x-api-key': sluice.key, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}

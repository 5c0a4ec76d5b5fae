import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { linkIdentity, setOperator } from '../../db/metering/write.ts'
import { OPERATOR_SUBJECT } from '../../db/values/demo-names.ts'
import { startAccountWorld } from '../account/account-world.ts'
import { browse, type Page } from '../account/browse.ts'
import { probeRoutes } from '../api/probe-routes.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { CHANGES, FOLLOWS, HOSTILE, NODES, insertMoney, insertSources } from './console-data.ts'

const database = await testDatabase()
const { api, url, issuer, openTo, signIn } = await startAccountWorld({ database, routes: probeRoutes })
const [big, small] = [await api.newAccount({ plan: 'pro' }), await api.newAccount()]
const PATHS = [
  '/console',
  '/console/incidents',
  '/console/quarantine',
  '/console/quarantine/1',
  '/console/money',
]
let ids: Awaited<ReturnType<typeof insertSources>>
let operator: ReturnType<typeof browse>

const promote = (isOperator: boolean) =>
  setOperator(api.owner, { issuer, subject: OPERATOR_SUBJECT, isOperator })

beforeAll(async () => {
  ids = await insertSources(api.owner)
  await insertMoney(database.ownerUrl, { big: big.accountId, small: small.accountId })
  await query(database.ownerUrl, `update accounts set name = 'Big <b>' where id = $1`, [big.accountId])
  await openTo(small.accountId)
  await promote(true)
  const signedIn = await signIn({ as: OPERATOR_SUBJECT, to: 'console' })
  operator = signedIn.browser
  expect([signedIn.landed.status, signedIn.landed.text]).toEqual([
    200,
    expect.stringContaining('<h1>Overview</h1>'),
  ])
})

/** An answer without request id and path, in which two answers may differ. */
const plain = ({ status, text }: Page) => ({
  status,
  ...(JSON.parse(text) as object),
  requestId: '',
  path: '',
})
/** The visible text of a page. */
const shown = ({ text }: Page) => text.replace(/<style>.*?<\/style>|<[^>]+>/gs, ' ').replace(/\s+/g, ' ')
const retryOf = async (id: string) =>
  (
    await query<{ retry_state: string }>(
      database.ownerUrl,
      `select retry_state from quarantine where id = $1`,
      [id],
    )
  )[0]!.retry_state

describe('access', () => {
  test('without a session every page shows the sign-in link, and a retry changes nothing', async () => {
    for (const path of PATHS) {
      const { status, text } = await browse(url).get(path)
      expect([path, status, text.includes('href="/account/sign-in?to=console')]).toEqual([path, 401, true])
    }
    expect((await browse(url).post(`/console/quarantine/${ids.retryable}/retry`, {})).status).toBe(401)
    expect(await retryOf(ids.retryable)).toBe(null)
  })

  test('a signed-in user who is not an operator gets the same 404 as for an unknown path', async () => {
    const { browser, landed } = await signIn({ to: 'console' })
    const unknown = plain(await browser.get('/console/nowhere'))
    expect(unknown.status).toBe(404)
    expect(plain(landed)).toEqual(unknown)
    for (const path of PATHS) expect(plain(await browser.get(path))).toEqual(unknown)
    const csrf = await browser.csrfOf('/account')
    expect(plain(await browser.post(`/console/quarantine/${ids.retryable}/retry`, { csrf }))).toEqual(unknown)
    expect(await retryOf(ids.retryable)).toBe(null)
  })

  test('an operator needs no account, must be of this issuer, and loses access with the next request', async () => {
    expect((await operator.get('/account')).status).toBe(403)
    await promote(false)
    await setOperator(api.owner, {
      issuer: 'https://other.example',
      subject: OPERATOR_SUBJECT,
      isOperator: true,
    })
    await linkIdentity(api.owner, { issuer, subject: OPERATOR_SUBJECT, accountId: small.accountId })
    for (const path of PATHS) expect((await operator.get(path)).status).toBe(401)
    const demoted = await signIn({ as: OPERATOR_SUBJECT, to: 'console' })
    for (const path of PATHS) expect((await demoted.browser.get(path)).status).toBe(404)
    await promote(true)
    operator = (await signIn({ as: OPERATOR_SUBJECT, to: 'console' })).browser
    expect((await operator.get('/console')).status).toBe(200)
  })

  test('other methods get 405, and a form without the CSRF token of its session changes nothing', async () => {
    for (const method of ['DELETE', 'PUT', 'POST', 'PATCH'])
      expect((await fetch(`${url}/console`, { method })).status).toBe(405)
    expect((await operator.get(`/console/quarantine/${ids.retryable}/retry`)).status).toBe(405)
    const other = await signIn({ as: OPERATOR_SUBJECT, to: 'console' })
    const foreign = await other.browser.csrfOf('/console')
    for (const csrf of ['', 'x', foreign])
      expect((await operator.post(`/console/quarantine/${ids.retryable}/retry`, { csrf })).status).toBe(403)
    expect(await retryOf(ids.retryable)).toBe(null)
  })

  test('signing out ends the session', async () => {
    const { browser } = await signIn({ as: OPERATOR_SUBJECT, to: 'console' })
    expect((await browser.submit('/console', '/console/sign-out', {})).text).toContain('Signed out')
    expect((await browser.get('/console')).status).toBe(401)
  })

  test('a sign-in redirects only to our own pages', async () => {
    for (const to of ['https://evil.example', '//evil.example', 'constructor', '__proto__', ''])
      expect((await signIn({ to: encodeURIComponent(to) })).landed.text).toContain('<h1>Portfolio</h1>')
  })
})

test('a part that the database does not answer in time says so, and the others are shown', async () => {
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  await owner.query('begin')
  await owner.query('lock table outbox')
  const page = await operator.get('/console')
  await owner.end()
  expect(page.status).toBe(200)
  expect(shown(page)).toContain('Sync queue The database was too slow for this part')
  expect(shown(page)).toMatch(/Sync queue unknown the database was too slow/)
  expect(shown(page)).toContain('coingecko')
  expect(shown(await operator.get('/console'))).not.toContain('too slow')
})

test('every page allows our one script and nothing from other hosts', async () => {
  for (const path of PATHS) {
    const { headers, text } = await operator.get(path)
    const policy = headers.get('content-security-policy')!
    expect(policy).toMatch(/^default-src 'none';.* script-src 'self'; connect-src 'self';/)
    expect(policy).not.toContain('unsafe')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text.match(/<script[^>]*>/g)).toEqual(['<script src="/console/live.js" defer>'])
    expect(text.replace(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\s(on\w+|style)=/i)
    expect(text).not.toMatch(/(src|href|action)="(?!\/|#|data:,)/i)
  }
  const script = await browse(url).get('/console/live.js')
  expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
})

test('sources show state, age against target, errors and allowance; one that is off shows its missing setting', async () => {
  const { text } = await operator.get('/console')
  const rowOf = (name: string) => {
    const row = new RegExp(`<th scope="row">(?:<a [^>]*>)?${name}<.*?</tr>`, 's').exec(text)![0]
    return `${shown({ text: row } as Page)} ${[...row.matchAll(/aria-label="([^"]+)"/g)].map(([, label]) => label).join('; ')}`
  }
  // 60 of its 100 requests are five hours old: in the first hours of a month, they were in the last one.
  const now = new Date()
  const left = now.getUTCDate() === 1 && now.getUTCHours() < 5 ? 9960 : 9900
  expect(rowOf('coingecko')).toMatch(new RegExp(` on .*10\\.0 %.*${left} of 10000 this month`))
  expect(rowOf('coingecko')).toContain('100 requests in 24 hours, 10 failed, at most 60 an hour')
  expect(rowOf('frankfurter')).toMatch(/paused for 10 d, late.*status 500.*10 d of 10 min.*50\.0 %/)
  expect(rowOf('opensea')).toContain('OPENSEA_API_KEY')
  expect(shown({ text } as Page)).toMatch(
    /4 on.*1 late, 0 failing, 1 paused, 1 off.*13\.6 % 15 of 110 requests/,
  )
  expect(text).toContain('No Temporal server is set')
})

test('followed networks show mode, method, head, blocks behind, and why one is off', async () => {
  expect((await operator.get('/console')).text).not.toContain('Followed networks')
  await query(database.ownerUrl, FOLLOWS)
  const text = shown(await operator.get('/console'))
  expect(text).toMatch(
    /ethereum blocks receipts eth\.node\.example other branches in \d+ (s|min) 1,?200 1,?207 7 1,?140 \d+ s ago 2 1 /,
  )
  expect(text).toContain('base-wallet off rpc:base-wallet: 403 –')
})

test('the overview shows what nodes have spent of their allowances', async () => {
  expect((await operator.get('/console')).text).not.toContain('Nodes today')
  await query(database.ownerUrl, NODES)
  const text = shown(await operator.get('/console'))
  const month = '350,000 of 30,000,000 this month'
  expect(text).toContain(`ethereum vendor.example 15,000 340,000 350,000 ${month}`)
  expect(text).toContain(`base-wallet vendor.example 500 10,000 350,000 ${month}`)
  expect(text).toContain('base-wallet node.internal 43 43 43 none known')
})

test('the overview shows fields of answers that have changed, and those that were seen once only do not count', async () => {
  expect((await operator.get('/console')).text).not.toContain('Answers that have changed')
  await query(database.ownerUrl, CHANGES)
  const text = shown(await operator.get('/console'))
  expect(text).toContain('coingecko /coins/markets [].current_price was number, is string 7 2 h ago')
  expect(text).toContain('kalshi /markets [].&#60;b&#62;yes&#60;/b&#62; vanished (was number) 5')
  expect(text).not.toContain('seen_once')
})

test('no page shows data of tenants, not even from quarantine', async () => {
  const pages = [...PATHS, `/console/quarantine/${ids.ofTenant}`, '/console/quarantine?source=binance']
  for (const path of pages) {
    const { status, text } = await operator.get(path)
    expect([path, status]).toEqual([path, 200])
    expect(text).not.toContain('canary')
    for (const secret of ['ca'.repeat(20), big.key, big.prefix, small.prefix])
      expect(text).not.toContain(secret)
  }
  expect(shown(await operator.get('/console/quarantine'))).toMatch(/binance exchanges not shown/)
  await operator.submit('/console', `/console/quarantine/${ids.ofTenant}/retry`, {})
  expect(await retryOf(ids.ofTenant)).toBe(null)
})

test('money shows credits by day and endpoint, accounts by credits, payments by outcome and open payments', async () => {
  const page = await operator.get('/console/money')
  const text = shown(page)
  // Usage of more than 30 days ago does not count.
  expect(text).toContain('1,610 credits in the last 30 days')
  expect(text).toMatch(/GET \/coins 320 1,600 .*GET \/news 5 10/)
  expect(text).toMatch(/Big &#60;b&#62; pro 305 1,510 .* test starter 20 100/)
  expect(text).toContain('0.003 USDC by 2 payments')
  expect(text).toMatch(/settled 2 0\.003 failed 1 0\.0015 unknown or lost 1 0\.0015 under way 0 0/)
  expect(text).toMatch(/unknown 90 min ago 0\.0015 1 the facilitator did not answer/)
  expect(page.text).toMatch(/aria-label="Payments by day in the last 30 days, 2 settled"/)
})

describe('quarantine', () => {
  test('is filtered by source and reason, and shows payloads as text, cut if long', async () => {
    const all = await operator.get('/console/quarantine')
    expect(all.text).not.toContain(HOSTILE)
    expect(shown(all)).toContain('no news &#60;img src=x')
    const only = await operator.get('/console/quarantine?source=coingecko&reason=price%3A+expected+a+number')
    expect(only.text).toContain(`href="/console/quarantine/${ids.retryable}"`)
    expect(only.text).not.toContain(`href="/console/quarantine/${ids.large}"`)
    expect(shown(await operator.get('/console/quarantine?reason=%00%27'))).toContain('No rows match')
    const item = await operator.get(`/console/quarantine/${ids.retryable}`)
    expect(item.text).not.toContain(HOSTILE)
    expect(item.text).toContain('&#34;name&#34;: &#34;&#60;img src=x onerror=')
    const large = await operator.get(`/console/quarantine/${ids.large}`)
    expect(large.text.length).toBeLessThan(40_000)
    expect(shown(large)).toContain('Cut after 20,000 characters.')
    for (const [id, status] of [
      ['999999', 200],
      ['x', 404],
      ['1'.repeat(40), 404],
      ['1%00', 404],
    ] as const)
      expect([id, (await operator.get(`/console/quarantine/${id}`)).status]).toEqual([id, status])
  })

  test('a retry is sent to the worker once; a row read from a cursor cannot be retried', async () => {
    const home = `/console/quarantine/${ids.retryable}`
    const asked = await operator.submit(home, `${home}/retry`, {})
    expect(shown(asked)).toContain('Retry requested.')
    expect(await retryOf(ids.retryable)).toBe('asked')
    expect(shown(await operator.submit(home, `${home}/retry`, {}))).toContain('is being retried')
    const large = `/console/quarantine/${ids.large}`
    expect(shown(await operator.submit(large, `${large}/retry`, {}))).toContain('cannot be retried')
    const commands = await query(database.ownerUrl, 'select workflow, workflow_id, input from outbox')
    expect(commands).toEqual([
      {
        workflow: 'retryQuarantined',
        workflow_id: expect.stringMatching(`^retry-quarantined:${ids.retryable}:\\d+$`),
        input: { id: ids.retryable },
      },
    ])
    expect(shown(await operator.get('/console'))).toMatch(/Sync queue 1 waiting/)
  })
})

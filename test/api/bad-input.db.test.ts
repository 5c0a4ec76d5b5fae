import { describe, expect, test } from 'vitest'
import { openApiDocument } from '../../api/openapi.ts'
import { routes } from '../../api/routes.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { shareProbe } from '../portfolios/share-probe.ts'
import { badSpellings, wellSpelled } from './bad-spellings.ts'
import { targetsOf } from './well-spelled-requests.ts'

// Every GET route, and the share probe, with every invalid spelling of its parameters.

const database = await testDatabase()
const rows = [...routes, shareProbe]
const api = await startApi({ database, routes: rows })
const { key } = await api.newAccount({ plan: 'enterprise', credits: 9_000_000_000_000_000 })
const document = openApiDocument(rows)

/** Malformed secrets get the answer of wrong ones: see test/portfolios/share.db.test.ts. */
const IS_SECRET = new Set(['shareToken', 'passcode'])

const targets = targetsOf(document)

async function ask(target: string, options: RequestInit = {}) {
  const response = await api.get(target, key, options)
  const text = await response.text()
  // 503 is the answer of an area without data, because all tables are empty.
  if (response.status !== 503) expect(response.status, `${target} ${text}`).toBeLessThan(500)
  return { status: response.status, text, headers: response.headers }
}

/**
 * Describes what is wrong with an error response; null if it has the status and the contract's body, repeats
 * no input and costs nothing.
 */
async function faultOf(target: string, status: number): Promise<string | null> {
  const answer = await ask(target)
  const body = JSON.parse(answer.text) as Record<string, unknown>
  const isContract =
    answer.status === status &&
    Object.keys(body).sort().join() === 'message,path,requestId,statusCode' &&
    body['statusCode'] === status &&
    /^[\w ,.:;()'`~^/-]{3,320}$/.test(body['message'] as string) &&
    (answer.headers.get('x-credits-cost') ?? '0') === '0'
  return isContract ? null : `${target.slice(0, 200)}: ${answer.status} ${answer.text.slice(0, 200)}`
}

const BAD_SEGMENTS = [
  '%20',
  '%20a',
  '__proto__',
  '%E2%80%8B',
  '%3Cb%3E',
  '..%2F..',
  '%252e',
  'a;b',
  'x'.repeat(180),
]

/** Injections into SQL, logs, templates, format strings and XML. */
const INJECTIONS = [
  "'%3Bselect%20pg_sleep(9)--",
  '$%7Bjndi%3Aldap%3A%2F%2Fx%7D',
  '%7B%7B7*7%7D%7D%25s%25n',
  '%3C!ENTITY%20x%20SYSTEM%20%22file%3A%2F%2F%2Fetc%2Fpasswd%22%3E',
]
/** Text that only internal errors contain. */
const INSIDES = /syntax error|relation "|column "|at \w+ \(|\.ts:|node:internal|root:x/

const spent = async () =>
  (
    await query<{ n: string }>(database.ownerUrl, 'select coalesce(sum(credits), 0) as n from ledger_entries')
  )[0]!.n

describe.each(targets)('GET $path', ({ path, parameters, at }) => {
  const found = [200, 404, 409, 503]

  test('valid values are accepted, also next to unknown parameters', async () => {
    const plain = await ask(at())
    expect(found, plain.text).toContain(plain.status)
    for (const more of ['unknown=1', 'a[]=1', '=1', '__proto__=1', '&&']) {
      const { status } = await ask(at({ name: 'other', text: '1', more }))
      expect([more, status]).toEqual([more, plain.status])
    }
    expect((await ask(at(), { method: 'HEAD' })).status).toBe(plain.status)
    if (!parameters.some(({ name }) => name === 'page')) return
    const most = Number(parameters.find(({ name }) => name === 'limit')!.schema['maximum'])
    const last = await ask(at({ name: 'page', text: '2147483647', more: `limit=${most}` }))
    expect(last.status, last.text).toBe(plain.status)
  })

  test('each parameter refuses invalid values and repetition', async () => {
    const before = await spent()
    const faults: (string | null)[] = []
    // A malformed id is 404, except that the contract says 400 for a malformed address of a trader.
    const statusOf = (name: string) =>
      name === 'type' || path.startsWith('/prediction/traders/') ? 400 : 404
    // One parameter after the other: hundreds of requests at once wait until they are 503 on a busy machine.
    for (const { name, schema } of parameters.filter((parameter) => parameter.in === 'query')) {
      const bad = IS_SECRET.has(name) ? [] : badSpellings(schema)
      const good = encodeURIComponent(wellSpelled(schema))
      const targets = [
        ...bad.map((text) => at({ name, text })),
        at({ name, text: good, more: `${name}=${good}` }),
      ]
      faults.push(...(await Promise.all(targets.map((target) => faultOf(target, 400)))))
    }
    for (const { name } of parameters.filter((parameter) => parameter.in === 'path')) {
      const targets = BAD_SEGMENTS.map((text) => at({ name, text }))
      faults.push(...(await Promise.all(targets.map((target) => faultOf(target, statusOf(name))))))
    }
    expect(faults.filter((fault) => fault !== null)).toEqual([])
    expect(await spent()).toBe(before)
  })

  test('an unknown share token gets the same answer in every place and spelling', async () => {
    if (!parameters.some(({ name }) => name === 'shareToken')) return
    const nobodys = 'a'.repeat(30)
    const spellings = [nobodys, '', 'x', `${nobodys}x`, '%20', '__proto__', '%D9%A1'.repeat(30)]
    const answers = [
      ...spellings.map((text) => ask(at({ name: 'shareToken', text }))),
      ...['', nobodys, 'x'].map((sharetoken) => ask(at(), { headers: { sharetoken } })),
      ask(at({ name: 'shareToken', text: nobodys }), { headers: { sharetoken: 'x', passcode: '1' } }),
    ]
    for (const { status, text } of await Promise.all(answers))
      expect([status, JSON.parse(text)]).toMatchObject([
        404,
        { message: 'Shared portfolio not found', error: 'Shared portfolio not found' },
      ])
  })

  test('S11 no injection works', async () => {
    const asked = parameters.flatMap(({ name }) => INJECTIONS.map((text) => at({ name, text })))
    const answers = await Promise.all(asked.map(async (target) => ({ target, ...(await ask(target)) })))
    for (const { target, status, text } of answers)
      expect([target, [200, 400, 404, 409, 503].includes(status), INSIDES.test(text)]).toEqual([
        target,
        true,
        false,
      ])
  })

  test('Allow lists the methods of the path', async () => {
    const { allow } = Object.fromEntries((await ask(at(), { method: 'OPTIONS' })).headers)
    expect(allow!.split(', ')).toEqual(expect.arrayContaining(['GET', 'HEAD']))
    const { status, headers } = await ask(at(), { method: 'PUT' })
    expect([status, headers.get('allow')]).toEqual([405, allow])
  })

  test('requests without a valid key get 401 and no data', async () => {
    if (routes.some((route) => route.path === path && route.method === 'GET' && route.public)) return
    for (const wrong of [undefined, '', 'abc', `${key}x`, key.toUpperCase()]) {
      const response = await api.get(at(), wrong)
      expect([wrong, response.status]).toEqual([wrong, 401])
      expect(await response.json()).toMatchObject({ message: 'Invalid API key', error: 'Unauthorized' })
    }
  })
})

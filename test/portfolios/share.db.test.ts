import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { setDegen } from '../../db/metering/write.ts'
import { revokeShare, rotateShare } from '../../db/portfolios/write-shares.ts'
import { createShareToken } from '../../db/values/share-token.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { comparable, getWithHeaders, share, shareProbe, sharingAccount } from './share-probe.ts'

// What a share token opens and for whom, and that all tokens that open nothing get the same answer.

const database = await testDatabase()
const api = await startApi({ database, routes: [shareProbe] })
let owner: Awaited<ReturnType<typeof sharingAccount>>
let reader: Awaited<ReturnType<typeof sharingAccount>>
let shared: string
let open: string
let locked: string
const PASSCODE = '042042'

beforeAll(async () => {
  owner = await sharingAccount(api, { portfolios: 2 })
  reader = await sharingAccount(api, { portfolios: 2 })
  shared = owner.portfolioIds[0]!
  open = (await share(api, { portfolioId: shared })).token
  locked = (await share(api, { portfolioId: shared, passcode: PASSCODE })).token
})

const get = (search: string, headers: Record<string, string> = {}, key = reader.key) =>
  api.get(`/probe/selected${search}`, key, { headers })
const ask = async (search: string, headers: Record<string, string> = {}, key = reader.key) =>
  comparable(await get(search, headers, key))

const refusalOf = (status: number, message: string) => ({
  status,
  body: { statusCode: status, message, path: '/v1/probe/selected', error: message },
})
const UNKNOWN = refusalOf(404, 'Shared portfolio not found')
const PASSCODE_REQUIRED = refusalOf(403, 'Passcode required for this portfolio')
const showsShared = { status: 200, body: { ids: [] as string[], isWhole: false } }
beforeAll(() => void (showsShared.body.ids = [shared]))

describe('S8 a token', () => {
  test('in header or query opens the portfolio of its owner, and the caller pays', async () => {
    const response = await get('', { sharetoken: open })
    expect(await response.json()).toEqual({ accountId: owner.accountId, ids: [shared], isWhole: false })
    expect(response.headers.get('x-credits-cost')).toBe('8')
    expect(await ask(`?shareToken=${open}`)).toMatchObject(showsShared)
    const paid = await query<{ account_id: string }>(
      database.ownerUrl,
      'select distinct account_id from ledger_entries',
    )
    expect(paid).toEqual([{ account_id: reader.accountId }])
  })

  test('has at least 128 bits and is unique', () => {
    const tokens = Array.from({ length: 1_000 }, createShareToken)
    expect(new Set(tokens).size).toBe(1_000)
    const letters = new Set(tokens.join(''))
    for (const text of tokens) expect(text.length * Math.log2(letters.size)).toBeGreaterThan(128)
  })

  test('in the header wins over one in the query, even when it is wrong', async () => {
    const wrong = createShareToken()
    expect(await ask(`?shareToken=${wrong}`, { sharetoken: open })).toMatchObject(showsShared)
    expect(await ask(`?shareToken=${open}`, { sharetoken: wrong })).toMatchObject(UNKNOWN)
    expect(await ask(`?shareToken=${open}`, { sharetoken: '' })).toMatchObject(UNKNOWN)
  })

  test('returns 404 when the portfolio id in the request differs', async () => {
    expect(await ask(`?portfolioId=${shared}`, { sharetoken: open })).toMatchObject(showsShared)
    for (const id of [owner.portfolioIds[1]!, ...reader.portfolioIds, 'nobody'])
      expect(await ask(`?portfolioId=${id}`, { sharetoken: open })).toMatchObject(UNKNOWN)
  })

  test('is required: the portfolio id alone returns 404', async () => {
    const other = await ask(`?portfolioId=${shared}`)
    const absent = await ask('?portfolioId=01990000-0000-7000-8000-00000000ffff')
    expect([other.status, absent.status]).toEqual([404, 404])
    expect(other.body['message']).toBe(`Portfolio with id '${shared}' not found`)
    expect({ ...other.body, message: '' }).toEqual({ ...absent.body, message: '' })
    expect(await ask('')).toMatchObject({ body: { ids: reader.portfolioIds, isWhole: true } })
    expect(await ask('?passcode=123456')).toMatchObject({ body: { isWhole: true } })
  })

  test('that is unknown, revoked, rotated or of a deleted portfolio gets the same answer', async () => {
    const mine = await sharingAccount(api, { portfolios: 2 })
    const [kept, gone] = mine.portfolioIds as [string, string]
    const revoked = await share(api, { portfolioId: kept })
    const rotated = await share(api, { portfolioId: kept, passcode: PASSCODE })
    const lost = await share(api, { portfolioId: gone })
    for (const { token } of [revoked, lost])
      expect(await ask('', { sharetoken: token })).toMatchObject({ status: 200 })
    expect(await revokeShare(api.owner, revoked.shareId)).toEqual({ revoked: 1 })
    expect(await revokeShare(api.owner, revoked.shareId)).toEqual({ revoked: 0 })
    expect(await rotateShare(api.owner, revoked.shareId)).toBeNull()
    const next = await rotateShare(api.owner, rotated.shareId)
    await query(database.ownerUrl, 'delete from portfolios where id = $1', [gone])

    const unknown = await ask('', { sharetoken: createShareToken() })
    expect(unknown).toMatchObject(UNKNOWN)
    for (const { token } of [revoked, rotated, lost])
      expect(await ask('', { sharetoken: token, passcode: PASSCODE })).toEqual(unknown)
    expect(await ask('', { sharetoken: next!.token, passcode: PASSCODE })).toMatchObject({ status: 200 })
  })

  test('that is malformed gets the answer of an unknown one', async () => {
    const unknown = await ask('', { sharetoken: createShareToken() })
    const malformed = [
      '',
      'x',
      open.slice(1),
      `${open}x`,
      `${open}/`,
      '__proto__',
      "' or 1=1 --",
      'a'.repeat(9_000),
    ]
    for (const text of malformed) {
      expect([text, await ask('', { sharetoken: text })]).toEqual([text, unknown])
      expect([text, await ask(`?shareToken=${encodeURIComponent(text)}`)]).toEqual([text, unknown])
    }
    for (const text of ['%20', `${open}%0A`, `%20${open}`, '%D9%A1'.repeat(30), '%F0%9F%9A%80'])
      expect([text, await ask(`?shareToken=${text}`)]).toEqual([text, unknown])
    expect(await ask('', { sharetoken: `é${open.slice(1)}` })).toEqual(unknown)
  })

  test('sent twice is unknown in headers and returns 400 in the query', async () => {
    const path = '/probe/selected'
    const twice = await getWithHeaders(api, {
      path,
      key: reader.key,
      headers: [
        ['sharetoken', open],
        ['ShareToken', open],
      ],
    })
    expect(twice).toMatchObject(UNKNOWN)
    expect(await ask(`?shareToken=${open}&shareToken=${open}`)).toMatchObject({
      status: 400,
      body: { message: 'Invalid parameter: shareToken. It must be sent once' },
    })
    expect((await ask(`?shareToken=${open}%00`)).status).toBe(400)
  })

  test('does not replace the API key', async () => {
    expect((await api.get('/probe/selected', undefined, { headers: { sharetoken: open } })).status).toBe(401)
  })
})

describe('the subscription of the owner', () => {
  test('is checked on every use before the passcode; the subscription of the reader does not matter', async () => {
    const degen = (accountId: string, on: boolean) => setDegen(api.owner, { accountId, degen: on })
    await degen(reader.accountId, false)
    expect(await ask('', { sharetoken: open })).toMatchObject(showsShared)
    await degen(owner.accountId, false)
    const ended = refusalOf(403, 'Shared portfolio not found')
    expect(await ask('', { sharetoken: open })).toMatchObject(ended)
    for (const passcode of [PASSCODE, '000000', 'x'])
      expect(await ask('', { sharetoken: locked, passcode })).toMatchObject(ended)
    expect(await triesOf(locked)).toEqual({ wrong_passcodes: 0, locked_until: null })
    await degen(owner.accountId, true)
    expect(await ask('', { sharetoken: open })).toMatchObject(showsShared)
  })
})

const triesOf = async (token: string) =>
  (
    await query(
      database.ownerUrl,
      `select wrong_passcodes, locked_until from portfolio_shares where token_hash = sha256($1::text::bytea)`,
      [token],
    )
  )[0]

describe('S8 a passcode', () => {
  test('opens in header or query; the header wins', async () => {
    const [good, bad] = [PASSCODE, '000000']
    expect(await ask('', { sharetoken: locked, passcode: good })).toMatchObject(showsShared)
    expect(await ask(`?passcode=${good}`, { sharetoken: locked })).toMatchObject(showsShared)
    expect(await ask(`?passcode=${bad}`, { sharetoken: locked, passcode: good })).toMatchObject(showsShared)
    expect(await ask(`?passcode=${good}`, { sharetoken: locked, passcode: bad })).toMatchObject(
      PASSCODE_REQUIRED,
    )
    expect(await ask(`?passcode=${good}`, { sharetoken: locked, passcode: '' })).toMatchObject(
      PASSCODE_REQUIRED,
    )
    // A right passcode resets the count of wrong ones.
    await ask('', { sharetoken: locked, passcode: good })
    expect(await triesOf(locked)).toEqual({ wrong_passcodes: 0, locked_until: null })
  })

  test('that is missing or malformed gets the answer of a wrong one and does not count as a try', async () => {
    const { token } = await share(api, { portfolioId: shared, passcode: '123456' })
    const wrong = await ask('', { sharetoken: token, passcode: '000000' })
    expect(wrong).toMatchObject(PASSCODE_REQUIRED)
    expect(await ask('', { sharetoken: token })).toEqual(wrong)
    for (const passcode of [
      '',
      '12345',
      '1234567',
      'abcdef',
      '12345a',
      '+12345',
      '0x1234',
      '1e5000',
      '12 456',
    ])
      expect([passcode, await ask('', { sharetoken: token, passcode })]).toEqual([passcode, wrong])
    for (const passcode of ['%D9%A1%D9%A2%D9%A3%D9%A4%D9%A5%D9%A6', '123456%0A', '%EF%BC%91'.repeat(6)])
      expect([passcode, await ask(`?passcode=${passcode}`, { sharetoken: token })]).toEqual([passcode, wrong])
    const twice = await getWithHeaders(api, {
      path: '/probe/selected',
      key: reader.key,
      headers: [
        ['sharetoken', token],
        ['passcode', '123456'],
        ['passcode', '123456'],
      ],
    })
    expect(twice).toMatchObject(PASSCODE_REQUIRED)
    expect(await triesOf(token)).toEqual({ wrong_passcodes: 1, locked_until: null })
    expect(await ask(`?passcode=123456&passcode=123456`, { sharetoken: token })).toMatchObject({
      status: 400,
      body: { message: 'Invalid parameter: passcode. It must be sent once' },
    })
  })

  test('is ignored when the share has none', async () => {
    for (const passcode of ['000000', 'x', ''])
      expect(await ask('', { sharetoken: open, passcode })).toMatchObject(showsShared)
    expect(await triesOf(open)).toEqual({ wrong_passcodes: 0, locked_until: null })
  })

  test('of one share does not open another, and equal passcodes have different hashes', async () => {
    const [first, second] = await Promise.all(
      ['111111', '222222'].map((passcode) => share(api, { portfolioId: shared, passcode })),
    )
    expect(await ask('', { sharetoken: first!.token, passcode: '222222' })).toMatchObject(PASSCODE_REQUIRED)
    expect(await ask('', { sharetoken: second!.token, passcode: '222222' })).toMatchObject(showsShared)
    await share(api, { portfolioId: shared, passcode: '222222' })
    const [{ all, different }] = (await query<{ all: number; different: number }>(
      database.ownerUrl,
      `select count(passcode_hash)::int as all, count(distinct passcode_hash)::int as different from portfolio_shares`,
    )) as [{ all: number; different: number }]
    expect(different).toBe(all)
  })
})

test('S8 neither token nor passcode is anywhere in the database', async () => {
  const { token } = await share(api, { portfolioId: shared, passcode: '907351' })
  await ask('', { sharetoken: token, passcode: '907351' })
  await ask(`?shareToken=${token}&passcode=907351`)
  const tables = await query<{ name: string }>(
    database.ownerUrl,
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  const found = async (name: string) =>
    (
      await sql`select from ${sql.id(name)} t where t::text ~ ${`${token}|"907351"|[,(]907351[,)]`}`.execute(
        api.owner,
      )
    ).rows
  for (const { name } of tables) expect(await found(name), name).toEqual([])
})

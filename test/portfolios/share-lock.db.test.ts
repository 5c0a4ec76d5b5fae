import { beforeAll, describe, expect, test } from 'vitest'
import { createShares } from '../../db/portfolios/shares.ts'
import { rotateShare } from '../../db/portfolios/write-shares.ts'
import { openDb } from '../../db/connect.ts'
import { SHARE_PEPPER, startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { comparable, share, shareProbe, sharingAccount } from './share-probe.ts'

// Limits on tries of a passcode. The database keeps the time, so tests move the end of a lock.

const database = await testDatabase()
const api = await startApi({ database, routes: [shareProbe] })
const meter = openDb({ url: database.meterUrl, maxConnections: 16, applicationName: 'test' })
const shares = createShares({ pool: meter.pool, pepper: SHARE_PEPPER })
const RIGHT = '424242'
let portfolioId: string
let key: string

beforeAll(async () => {
  const owner = await sharingAccount(api, { portfolios: 1 })
  ;[portfolioId, key] = [owner.portfolioIds[0]!, owner.key]
  return () => meter.close()
})

/** Number of passcodes that were really compared since the last call, independent of the stored counts. */
async function countCompared() {
  const counted = await query(database.ownerUrl, `select to_regclass('compared') is not null as is`)
  if (!counted[0]!['is'])
    await query(
      database.ownerUrl,
      `create sequence compared minvalue 0 start 0;
       select nextval('compared');
       create or replace function share_passcode_hash(share_id uuid, keyed bytea) returns bytea language sql as
         $$ select sha256(uuid_send(share_id) || keyed) from (select nextval('compared')) counted $$`,
    )
  const [row] = await query<{ n: string }>(database.ownerUrl, `select last_value as n from compared`)
  await query(database.ownerUrl, `select setval('compared', 0)`)
  return Number(row!.n)
}

interface Tries {
  wrong: number
  /** Minutes until the lock ends; null: not locked. */
  locked: number | null
}

async function newShare() {
  const { shareId, token } = await share(api, { portfolioId, passcode: RIGHT })
  const tries = async (): Promise<Tries> => {
    const rows = await query<Tries>(
      database.ownerUrl,
      `select wrong_passcodes as wrong, case when locked_until = 'infinity' then 'Infinity'::float8
         when locked_until > now() then round(extract(epoch from locked_until - now()) / 60)::float8 end as locked
       from portfolio_shares where id = $1`,
      [shareId],
    )
    return rows[0]!
  }
  const opens = async (passcode: string) => typeof (await shares.open({ token, passcode })) === 'object'
  const guessWrong = async (times: number) => {
    for (let n = 0; n < times; n++) expect(await opens('000000')).toBe(false)
  }
  const endLock = () =>
    query(
      database.ownerUrl,
      `update portfolio_shares set locked_until = now() - interval '1 millisecond'
       where id = $1 and locked_until < 'infinity'`,
      [shareId],
    )
  return { shareId, token, tries, opens, guessWrong, endLock }
}

describe('S7 wrong passcodes in a row', () => {
  test('five lock the share for 15 minutes, in which even the right one is refused and no try counts', async () => {
    const one = await newShare()
    await one.guessWrong(4)
    expect(await one.tries()).toEqual({ wrong: 4, locked: null })
    await one.guessWrong(1)
    expect(await one.tries()).toEqual({ wrong: 5, locked: 15 })
    await one.guessWrong(3)
    expect(await one.opens(RIGHT)).toBe(false)
    expect(await one.tries()).toEqual({ wrong: 5, locked: 15 })
    await one.endLock()
    expect(await one.opens(RIGHT)).toBe(true)
    expect(await one.tries()).toEqual({ wrong: 0, locked: null })
  })

  test('start again from zero after a right one', async () => {
    const one = await newShare()
    for (let round = 0; round < 3; round++) {
      await one.guessWrong(4)
      expect(await one.opens(RIGHT)).toBe(true)
    }
    expect(await one.tries()).toEqual({ wrong: 0, locked: null })
  })

  test('every further five double the lock, and the hundredth locks forever', async () => {
    const one = await newShare()
    const minutes: (number | null)[] = []
    for (let round = 1; round <= 20; round++) {
      await one.guessWrong(4)
      expect(await one.tries()).toEqual({ wrong: round * 5 - 1, locked: null })
      await one.guessWrong(1)
      minutes.push((await one.tries()).locked)
      await one.endLock()
    }
    expect(minutes).toEqual([...Array.from({ length: 19 }, (_, n) => 15 * 2 ** n), Infinity])
    expect(await one.opens(RIGHT)).toBe(false)
    await one.guessWrong(5)
    expect(await one.tries()).toEqual({ wrong: 100, locked: Infinity })
    const rotated = await rotateShare(api.owner, one.shareId)
    expect(await shares.open({ token: rotated!.token, passcode: RIGHT })).toMatchObject({ portfolioId })
    expect(await one.opens(RIGHT)).toBe(false)
  })

  test('1,000 parallel tries by many accounts over two servers compare only five passcodes', async () => {
    const one = await newShare()
    const second = await startApi({ database, routes: [shareProbe] })
    await countCompared()
    const readers = await Promise.all(Array.from({ length: 20 }, () => api.newAccount()))
    const guesses = Array.from({ length: 1_000 }, async (_, n) => {
      const passcode = String(n).padStart(6, '0')
      const headers = { sharetoken: one.token, passcode }
      const server = n % 2 ? api : second
      const response = await server.get('/probe/selected', readers[n % 20]!.key, { headers })
      await response.body?.cancel()
      return response.status
    })
    const statuses = await Promise.all(guesses)
    // 503: the server is overloaded and did not try the passcode.
    expect(statuses.filter((status) => status !== 403 && status !== 503)).toEqual([])
    expect(statuses.filter((status) => status === 403).length).toBeGreaterThan(100)
    expect(await countCompared()).toBe(5)
    expect(await one.tries()).toEqual({ wrong: 5, locked: 15 })
    expect(await one.opens(RIGHT)).toBe(false)
  })

  test('1,000 parallel tries over 16 connections compare only five passcodes', async () => {
    const one = await newShare()
    await Promise.all(Array.from({ length: 16 }, () => meter.pool.query('select pg_sleep(0.2)')))
    await countCompared()
    await Promise.all(Array.from({ length: 1_000 }, () => one.guessWrong(1)))
    expect(await countCompared()).toBe(5)
    expect(await one.tries()).toEqual({ wrong: 5, locked: 15 })
  })

  test('parallel tries within the limit all count, and parallel right ones all open', async () => {
    const one = await newShare()
    await Promise.all(Array.from({ length: 4 }, () => one.guessWrong(1)))
    expect(await one.tries()).toEqual({ wrong: 4, locked: null })
    expect(await Promise.all(Array.from({ length: 8 }, () => one.opens(RIGHT)))).toEqual(Array(8).fill(true))
    expect(await one.tries()).toEqual({ wrong: 0, locked: null })
  })

  test('lock only their own share', async () => {
    const [one, other] = [await newShare(), await newShare()]
    await one.guessWrong(6)
    expect(await other.opens(RIGHT)).toBe(true)
  })
})

test('S8 wrong, locked and missing passcodes get the same answer', async () => {
  const [wrong, locked] = [await newShare(), await newShare()]
  await locked.guessWrong(5)
  const ask = async (headers: Record<string, string>) =>
    comparable(await api.get('/probe/selected', key, { headers }))
  const answers = [
    await ask({ sharetoken: wrong.token, passcode: '000000' }),
    await ask({ sharetoken: wrong.token }),
    await ask({ sharetoken: locked.token }),
    await ask({ sharetoken: locked.token, passcode: '000000' }),
    await ask({ sharetoken: locked.token, passcode: RIGHT }),
  ]
  expect(answers[0]).toMatchObject({ status: 403, body: { error: 'Passcode required for this portfolio' } })
  for (const answer of answers) expect(answer).toEqual(answers[0])
})

test('every passcode is wrong without the pepper or with another one', async () => {
  const one = await newShare()
  for (const pepper of [undefined, 'another'])
    expect(await createShares({ pool: meter.pool, pepper }).open({ token: one.token, passcode: RIGHT })).toBe(
      'passcode',
    )
  expect(await one.tries()).toEqual({ wrong: 1, locked: null })
  expect(await one.opens(RIGHT)).toBe(true)
})

test('role meter can only open one share at a time', async () => {
  const { shareId } = await newShare()
  for (const sql of [
    `select try_passcode('${shareId}', '\\x00')`,
    `select share_passcode_hash('${shareId}', '\\x00')`,
    'select from portfolio_shares',
    'update portfolio_shares set wrong_passcodes = 0',
  ])
    await expect(query(database.meterUrl, sql)).rejects.toMatchObject({ code: '42501' })
  await expect(query(database.apiUrl, `select open_share('\\x00', null)`)).rejects.toMatchObject({
    code: '42501',
  })
})

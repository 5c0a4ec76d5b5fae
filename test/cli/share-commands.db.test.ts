import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { createShares } from '../../db/portfolios/shares.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { sluiceHere } from './sluice-here.ts'

const database = await testDatabase()
const PEPPER = 'pepper of this test'
const sluice = sluiceHere({ DATABASE_URL: database.ownerUrl, SHARE_PEPPER: PEPPER, SLUICE_HOME: '/nowhere' })

test('an operator shares a portfolio of an account with Degen, rotates the link and revokes it', async () => {
  const accountId = (await sluice('accounts', 'create', '--name', 'acme', '--plan', 'free')).stdout.trim()
  const portfolioId = randomUUID()
  await query(database.ownerUrl, `insert into portfolios (id, account_id, kind) values ($1, $2, 'manual')`, [
    portfolioId,
    accountId,
  ])
  const create = () => sluice('shares', 'create', portfolioId, '--passcode', '123456')
  expect(await create()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`sharing needs Degen: sluice accounts degen ${accountId} on`),
  })
  expect((await sluice('accounts', 'degen', 'acme', 'on')).stdout).toBe('Degen of acme is on\n')
  const { stdout } = await create()
  const [, token, shareId] = /^\/p\/([0-9A-Za-z]{30})\nShare ([0-9a-f-]{36})\. /.exec(stdout)!

  const meter = openDb({ url: database.meterUrl, maxConnections: 1, applicationName: 'test' })
  const shares = createShares({ pool: meter.pool, pepper: PEPPER })
  const open = (text: string, passcode = '123456') => shares.open({ token: text, passcode })
  expect(await open(token!)).toEqual({ portfolioId, accountId })
  expect(await open(token!, '654321')).toBe('passcode')

  const listed = (await sluice('shares', 'list', portfolioId)).stdout
  expect(listed).toContain(shareId)
  expect(listed).not.toContain(token)
  const rotated = /^\/p\/(\S+)\nThe old link no longer works/.exec(
    (await sluice('shares', 'rotate', shareId!)).stdout,
  )![1]!
  expect(await open(token!)).toBe('unknown')
  expect(await open(rotated)).toEqual({ portfolioId, accountId })
  await sluice('accounts', 'degen', accountId, 'off')
  expect(await open(rotated)).toBe('unentitled')

  expect(await sluice('shares', 'revoke', shareId!)).toMatchObject({
    status: 0,
    stdout: 'revoked; its link no longer works\n',
  })
  expect(await open(rotated)).toBe('unknown')
  for (const action of ['revoke', 'rotate'])
    expect(await sluice('shares', action, shareId!)).toMatchObject({ status: 1, stdout: 'no such share\n' })
  await meter.close()
})

test('errors of sharing are one line', async () => {
  const failures = [
    [['shares', 'create', 'x'], 'no portfolio x; see GET /portfolio/list', 1],
    [['shares', 'list', 'x'], 'no portfolio x; see GET /portfolio/list', 1],
    [['shares', 'create', 'x', '--passcode', '12345'], '--passcode must have six digits', 1],
    [['shares', 'create'], 'sluice shares create PORTFOLIO', 2],
    [['accounts', 'degen', 'acme', 'maybe'], 'sluice accounts degen ACCOUNT on|off', 2],
  ] as const
  for (const [args, message, code] of failures) {
    const { status, stderr } = await sluice(...args)
    expect(status).toBe(code)
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('    at ')
  }
})

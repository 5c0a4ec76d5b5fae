import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createReceivers, heartbeat, type ReceiverConfig } from '../../activities/incidents/receivers.ts'
import { look } from '../../activities/incidents/watch-incidents.ts'
import { openDb } from '../../db/connect.ts'
import { lockIncidents } from '../../db/incidents/keep-incidents.ts'
import { transact } from '../../db/transact.ts'
import { runCommand } from '../cli/run-command.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

// Incidents from the database to a real mail server and to receivers of HTTP.

const database = await testDatabase()
const ingest = openDb({ url: database.ingestUrl, maxConnections: 6, applicationName: 'test' })
const rows = <T extends object>(sql: string) => query<T>(database.ownerUrl, sql)

interface Posted {
  path: string
  body: Record<string, unknown>
}
const posted: Posted[] = []
const mails: string[] = []
const answers = { '/hook': 200, '/slack': 200, '/beat': 200 }
let beats = 0
const http = createServer((request, response) => {
  const path = request.url as keyof typeof answers
  if (path === '/beat') beats++
  void text(request).then((body) => {
    if (body !== '') posted.push({ path, body: JSON.parse(body) as Posted['body'] })
    response.writeHead(answers[path], { location: '/beat' }).end('thanks')
  })
})
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, _session, done) {
    void text(stream).then((mail) => {
      mails.push(mail.replaceAll('=\r\n', ''))
      done()
    })
  },
})
http.listen(0, '127.0.0.1')
smtp.listen(0, '127.0.0.1')
await Promise.all([once(http, 'listening'), once(smtp.server, 'listening')])
const portOf = (server: Pick<Server, 'address'>) => (server.address() as AddressInfo).port
const base = `http://127.0.0.1:${portOf(http)}`
const SMTP_URL = `smtp://127.0.0.1:${portOf(smtp.server)}`
afterAll(async () => {
  http.close()
  smtp.close(() => {})
  await ingest.close()
})

const all: ReceiverConfig = {
  webhookUrl: `${base}/hook`,
  slackUrl: `${base}/slack`,
  email: { smtpUrl: SMTP_URL, from: 'sluice@example.com', to: 'oncall@example.com' },
  runbooksUrl: 'https://wiki.example.com/runbooks',
}
const clock = { nowMs: 0 }
const warned: unknown[] = []
const deps = (config: ReceiverConfig = all, checks: Record<string, () => Promise<unknown>> = {}) => ({
  ...ingest,
  now: () => new Date(clock.nowMs),
  sources: () => [],
  receivers: createReceivers(config),
  checks,
  alive: () => heartbeat(`${base}/beat`),
  log: { warn: (fields: unknown) => void warned.push(fields) },
})
/** A look after so many seconds. */
const later = async (seconds: number, ...given: Parameters<typeof deps>) => {
  clock.nowMs += seconds * 1_000
  await look(deps(...given))
}
const told = () => ({ posted: posted.splice(0), mails: mails.splice(0) })
const alertsOf = ({ body }: Posted) => body['alerts'] as Record<string, unknown>[]

const stuck = () =>
  rows(`insert into outbox (workflow, workflow_id, input, created_at)
    values ('syncWallet', 'sync:1', '{}', now() - interval '5 minutes')`)

beforeEach(async () => {
  clock.nowMs = Date.now()
  Object.assign(answers, { '/hook': 200, '/slack': 200, '/beat': 200 })
  await rows('truncate outbox, incidents, incident_silences cascade')
  told()
  warned.length = 0
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

test('a page reaches e-mail, chat and webhook once it has lasted, with its runbook, and so does its end', async () => {
  await stuck()
  await later(0)
  await later(90)
  expect(told()).toEqual({ posted: [], mails: [] })
  await later(30)
  const first = told()
  expect(first.posted.map(({ path }) => path).sort()).toEqual(['/hook', '/slack'])
  const hook = first.posted.find(({ path }) => path === '/hook')!
  expect(hook.body).toMatchObject({ version: '4', status: 'firing', receiver: 'sluice' })
  expect(alertsOf(hook)).toEqual([
    expect.objectContaining({
      status: 'firing',
      labels: { alertname: 'OutboxStuck', severity: 'page' },
      annotations: {
        summary: expect.stringMatching(/^An accepted command has waited for \d+ min$/),
        runbook_url: 'https://wiki.example.com/runbooks#outboxstuck',
      },
      startsAt: new Date(clock.nowMs).toISOString(),
      endsAt: '0001-01-01T00:00:00Z',
    }),
  ])
  const chat = first.posted.find(({ path }) => path === '/slack')!
  expect(chat.body['text']).toMatch(/^page OutboxStuck: An accepted .*\nhttps:.*#outboxstuck$/)
  expect(first.mails).toHaveLength(1)
  expect(first.mails[0]).toMatch(/^To: oncall@example\.com/m)
  expect(first.mails[0]).toMatch(/^Subject: \[Sluice\] page OutboxStuck: An accepted command/m)
  expect(first.mails[0]).toContain('https://wiki.example.com/runbooks#outboxstuck')

  await later(30)
  expect(told()).toEqual({ posted: [], mails: [] })
  await rows('update outbox set dispatched_at = now()')
  await later(30)
  const ended = told()
  expect(ended.mails[0]).toMatch(/^Subject: \[Sluice\] resolved OutboxStuck/m)
  expect(ended.posted.find(({ path }) => path === '/hook')!.body).toMatchObject({ status: 'resolved' })
  await later(30)
  expect(told()).toEqual({ posted: [], mails: [] })
  expect(await rows('select rule, resolved_at is null as open from incidents')).toEqual([
    { rule: 'OutboxStuck', open: false },
  ])
})

test('what ends before it fires is told to nobody', async () => {
  await stuck()
  await later(0)
  await rows('update outbox set dispatched_at = now()')
  await later(30)
  await stuck()
  await later(100)
  expect(told()).toEqual({ posted: [], mails: [] })
})

test('a receiver that refuses is told again with growing pauses, and the others once', async () => {
  answers['/hook'] = 500
  await stuck()
  await later(0)
  await later(120)
  expect(told().mails).toHaveLength(1)
  expect(warned).toEqual([{ receiver: 'webhook', reason: 'status 500' }])
  const tries = async (seconds: number) => {
    await later(seconds)
    const { posted: hooks, mails: more } = told()
    expect(more).toEqual([])
    return hooks.length
  }
  expect([await tries(20), await tries(10), await tries(30), await tries(30)]).toEqual([0, 1, 0, 1])
  answers['/hook'] = 200
  expect([await tries(60), await tries(60), await tries(600)]).toEqual([0, 1, 0])
  // A receiver that was never told of it is not told of its end either.
  expect(await rows(`select tries, failure from incident_notices where receiver = 'webhook'`)).toEqual([
    { tries: 0, failure: null },
  ])
})

test('a redirect is refused, and the text of a failure does not hold the address', async () => {
  answers['/hook'] = 302
  await stuck()
  await later(0)
  await later(120, { ...all, slackUrl: null, email: null })
  expect(beats).toBeGreaterThan(0)
  expect(warned).toEqual([{ receiver: 'webhook', reason: 'fetch failed: unexpected redirect' }])
  expect(warned).toHaveLength(1)
})

test('a page is told again every four hours until somebody acknowledges it', async () => {
  vi.stubEnv('DATABASE_URL', database.ownerUrl)
  vi.stubEnv('SLUICE_HOME', '/nowhere')
  vi.spyOn(console, 'log').mockReturnValue()
  await stuck()
  await later(0)
  await later(120)
  await later(4 * 3_600 - 1)
  expect(told().mails).toHaveLength(1)
  await later(1)
  expect(told().mails).toHaveLength(1)
  const [incident] = await rows<{ id: string }>('select id::text from incidents')
  await runCommand('incidents', 'acknowledge', incident!.id)
  await later(4 * 3_600)
  expect(told().mails).toEqual([])
  await expect(runCommand('incidents', 'acknowledge', '999')).rejects.toThrow(
    'no incident 999 fires now and waits',
  )
})

test('a silence lasts for its hours, and only for its subject', async () => {
  vi.stubEnv('DATABASE_URL', database.ownerUrl)
  vi.stubEnv('SLUICE_HOME', '/nowhere')
  const printed = vi.spyOn(console, 'log').mockReturnValue()
  const broken = {
    temporal: () => Promise.reject(new Error('refused')),
    database: () => Promise.reject(new Error('full')),
  }
  await runCommand(
    'incidents',
    'silence',
    'NotReady',
    '--subject',
    'temporal',
    '--hours',
    '1',
    '--reason',
    'move',
  )
  await later(0, all, broken)
  await later(120, all, broken)
  const mail = told().mails.join('')
  expect(mail).toContain('A worker cannot use database: full')
  expect(mail).not.toContain('temporal')
  printed.mockClear()
  await runCommand('incidents', '--json')
  const listed = JSON.parse(printed.mock.calls[0]![0] as string) as Record<string, unknown>[]
  expect(listed).toEqual([
    expect.objectContaining({ subject: 'temporal', silencedUntil: expect.any(String), told: [] }),
    expect.objectContaining({
      subject: 'database',
      silencedUntil: null,
      told: ['email', 'slack', 'webhook'],
    }),
  ])
  await later(3_600, all, broken)
  expect(told().mails.join('')).toContain('A worker cannot use temporal: refused')
})

test('one message tells of several incidents, what they are about, and whether any of them fires', async () => {
  const failing = (...parts: string[]) =>
    Object.fromEntries(parts.map((part) => [part, () => Promise.reject(new Error('refused'))]))
  await later(0, all, failing('database', 'temporal'))
  await later(120, all, failing('database', 'temporal'))
  const first = told()
  expect(first.mails[0]).toMatch(/^Subject: \[Sluice\] page NotReady: .*\(and\s+1 more\)/m)
  const hookOf = ({ posted: sent }: ReturnType<typeof told>) => sent.find(({ path }) => path === '/hook')!
  expect(
    alertsOf(hookOf(first))
      .map(({ labels }) => (labels as { subject: string }).subject)
      .sort(),
  ).toEqual(['database', 'temporal'])
  await later(30, all, failing('database', 'disk', 'temporal'))
  expect(told()).toEqual({ posted: [], mails: [] })
  await later(120, all, failing('disk', 'temporal'))
  const { body, ...rest } = hookOf(told())
  expect([body['status'], ...alertsOf({ body, ...rest }).map(({ status }) => status)]).toEqual([
    'firing',
    'resolved',
    'firing',
  ])
})

test('of several workers one looks, and only that one tells', async () => {
  await stuck()
  await later(0)
  clock.nowMs += 120_000
  await transact(ingest.pool, async ({ client }) => {
    expect(await lockIncidents(client)).toBe(true)
    beats = 0
    await look(deps())
    expect(told()).toEqual({ posted: [], mails: [] })
    // Whoever looks says so.
    expect(beats).toBe(0)
  })
  await Promise.all([look(deps()), look(deps()), look(deps())])
  await look(deps())
  expect(told().mails).toHaveLength(1)
})

test('each look that was made asks the heartbeat, one that fails does not', async () => {
  beats = 0
  await look(deps())
  expect(beats).toBe(1)
  await rows('alter table incidents rename to incidents_away')
  await expect(look(deps())).rejects.toThrow('incidents')
  await rows('alter table incidents_away rename to incidents')
  expect(beats).toBe(1)
  answers['/beat'] = 404
  await expect(look(deps())).rejects.toThrow('the heartbeat was answered with status 404')
})

test('"sluice incidents test" says which receivers took the message', async () => {
  vi.stubEnv('SLUICE_HOME', '/nowhere')
  vi.stubEnv('ALERT_SLACK_URL', `${base}/slack`)
  vi.stubEnv('ALERT_EMAIL_TO', 'oncall@example.com')
  vi.stubEnv('ALERT_EMAIL_FROM', 'sluice@example.com')
  vi.stubEnv('SMTP_URL', SMTP_URL)
  const printed = vi.spyOn(console, 'log').mockReturnValue()
  await runCommand('incidents', 'test')
  expect(printed.mock.calls[0]![0]).toMatch(/slack +took it\nemail +took it$/)
  expect(told().mails[0]).toContain('Nothing is wrong')
  answers['/slack'] = 403
  await expect(runCommand('incidents', 'test', '--json')).rejects.toThrow('slack did not take the message')
  vi.stubEnv('SMTP_URL', '')
  await expect(runCommand('incidents', 'test')).rejects.toThrow('ALERT_EMAIL_TO needs SMTP_URL')
})

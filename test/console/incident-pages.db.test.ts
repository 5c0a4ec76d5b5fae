import { beforeAll, expect, test } from 'vitest'
import { setOperator } from '../../db/metering/write.ts'
import { OPERATOR_SUBJECT } from '../../db/values/demo-names.ts'
import { startAccountWorld } from '../account/account-world.ts'
import { browse, type Page } from '../account/browse.ts'
import { probeRoutes } from '../api/probe-routes.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()
const { api, url, issuer, signIn } = await startAccountWorld({ database, routes: probeRoutes })
let operator: ReturnType<typeof browse>
let id: string

const rows = <T extends object>(sql: string) => query<T>(database.ownerUrl, sql)
const shown = ({ text }: Page) => text.replace(/<style>.*?<\/style>|<[^>]+>/gs, ' ').replace(/\s+/g, ' ')
const actions = () => rows('select operator, action, subject from operator_actions order by id')
const HOME = '/console/incidents'

beforeAll(async () => {
  const [incident] = await rows<{ id: string }>(
    `insert into incidents (rule, subject, severity, summary, since, fired_at)
     values ('SourceLate', 'frankfurter', 'ticket', 'frankfurter gives no usable answer: <b>500</b>', now(),
       now() - interval '1 hour')
     returning id::text`,
  )
  id = incident!.id
  await rows(`insert into incidents (rule, subject, severity, summary, since, fired_at, resolved_at)
    values ('OutboxStuck', '', 'page', 'It has ended', now(), now(), now()), ('SyncsFail', 'base', 'ticket', 'Not yet', now(), null, null)`)
  await setOperator(api.owner, { issuer, subject: OPERATOR_SUBJECT, isOperator: true })
  operator = (await signIn({ as: OPERATOR_SUBJECT, to: 'console' })).browser
})

test('nobody else sees an incident or decides of it', async () => {
  expect((await browse(url).get(HOME)).status).toBe(401)
  expect((await browse(url).post(`${HOME}/${id}/acknowledge`, {})).status).toBe(401)
  const { browser } = await signIn({ to: 'console' })
  for (const path of [HOME, '/console/runbooks/SourceLate'])
    expect((await browser.get(path)).status).toBe(404)
  // The form of another page is not enough, and neither is none.
  expect((await operator.post(`${HOME}/${id}/silence`, {})).status).toBe(403)
  expect(await actions()).toEqual([])
})

test('what is wrong stands first on the overview, with its runbook', async () => {
  const overview = await operator.get('/console')
  expect(shown(overview)).toMatch(
    /SourceLate frankfurter gives no usable answer: &#60;b&#62;500.*nobody Runbook of SourceLate.*Sources/,
  )
  expect(shown(overview)).not.toMatch(/It has ended|Not yet/)
  const runbook = await operator.get('/console/runbooks/SourceLate')
  expect(shown(runbook)).toMatch(/Means\..*Look\. sluice sources.*Mend\. 401 or 403: renew the key/)
  expect(runbook.text).toContain('<a href="/console/runbooks/RowsQuarantined">RowsQuarantined</a>')
  for (const rule of ['Nothing', '__proto__', '%00'])
    expect((await operator.get(`/console/runbooks/${rule}`)).status).toBe(404)
})

test('an operator silences and acknowledges, and both leave a row with the name', async () => {
  const silenced = await operator.submit(HOME, `${HOME}/${id}/silence`, {})
  expect(shown(silenced)).toMatch(/Nobody is told of SourceLate for an hour.*silenced until/)
  const [silence] = await rows<{ id: string; hours: number }>(
    `select id::text, round(extract(epoch from until - now()) / 3600)::int as hours from incident_silences
     where rule = 'SourceLate' and subject = 'frankfurter'`,
  )
  expect(silence!.hours).toBe(1)
  const ended = await operator.submit(HOME, `/console/silences/${silence!.id}/end`, {})
  expect(shown(ended)).toMatch(/The silence has ended.*Nothing is silenced/)
  expect(shown(await operator.submit(HOME, `/console/silences/${silence!.id}/end`, {}))).toContain(
    'ended before',
  )

  const acknowledged = await operator.submit(HOME, `${HOME}/${id}/acknowledge`, {})
  expect(shown(acknowledged)).toContain(`acknowledged by ${OPERATOR_SUBJECT}`)
  expect(acknowledged.text).not.toContain(`${id}/silence`)
  expect(shown(await operator.submit(HOME, `${HOME}/${id}/acknowledge`, {}))).toContain(
    'This incident has ended, or',
  )
  const by = { operator: OPERATOR_SUBJECT, subject: 'SourceLate frankfurter' }
  expect(await actions()).toEqual([
    { ...by, action: 'silence incidents for 1 h' },
    { ...by, action: 'end a silence' },
    { ...by, action: 'acknowledge an incident' },
  ])
  expect(shown(acknowledged)).toMatch(
    /What operators did.*acknowledge an incident SourceLate frankfurter.*end a silence/,
  )
})

test.each(['x', '0x1', '1'.repeat(40), '%00', '999999'])('no incident %s changes anything', async (other) => {
  const before = await actions()
  const csrf = await operator.csrfOf(HOME)
  const { status } = await operator.post(`${HOME}/${other}/silence`, { csrf })
  expect([303, 404]).toContain(status)
  expect(await actions()).toEqual(before)
})

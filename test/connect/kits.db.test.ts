import { beforeAll, expect, test } from 'vitest'
import { createKit } from '../../db/account/kits.ts'
import { openDb } from '../../db/connect.ts'
import { startAccountWorld } from '../account/account-world.ts'
import { browse } from '../account/browse.ts'
import { probeRoutes } from '../api/probe-routes.ts'
import { testDatabase } from '../setup/database.ts'

// Connect kits on the account page.

const database = await testDatabase()
const { api, url, openTo, signIn } = await startAccountWorld({ database, routes: probeRoutes })
const pages = openDb({ url: database.accountUrl, maxConnections: 2, applicationName: 'test' })
const own = await api.newAccount()
const other = await api.newAccount()
let browser: ReturnType<typeof browse>

beforeAll(async () => {
  await openTo(own.accountId)
  browser = (await signIn()).browser
  return () => pages.close()
})

const FORM = {
  name: '<b>Paper</b>',
  appearance: 'dark',
  accent: '#a0328c',
  mode: 'popup',
  origins: 'https://app.example.com',
}
const HOME = '/account/kits'
const idsIn = (text: string) => [...text.matchAll(/<code>([0-9a-f-]{36})<\/code>/g)].map(([, id]) => id!)

test('a connect kit is made, changed and removed', async () => {
  const made = await browser.submit(HOME, HOME, FORM)
  expect(made.text).toContain('&#60;b&#62;Paper')
  const [id] = idsIn(made.text)
  const address = `${HOME}/${id}`
  const edit = await browser.get(address)
  expect(edit.text).toMatch(/<option\s+selected\s*>dark</)
  expect(edit.text).toContain('>https://app.example.com</textarea>')

  const changed = { ...FORM, name: 'Diamond', mode: 'redirect', redirectUrls: 'https://app.example.com/cb' }
  expect((await browser.submit(address, address, changed)).text).toContain('Diamond is saved.')
  expect((await browser.get(address)).text).toContain('>https://app.example.com/cb</textarea>')
  const bad = { ...changed, csrf: await browser.csrfOf(address), redirectUrls: 'http://evil.example' }
  expect((await browser.post(address, bad)).status).toBe(400)

  expect((await browser.submit(address, `${address}/remove`, {})).text).toContain(
    'The connect kit is removed.',
  )
  expect((await browser.get(address)).status).toBe(404)
})

test('kits of another account look unknown', async () => {
  const foreign = await createKit(pages.pool, {
    accountId: other.accountId,
    name: 'Theirs',
    logo: null,
    appearance: 'system',
    accent: '#000000',
    mode: 'popup',
    origins: ['https://theirs.example'],
    redirectUrls: [],
  })
  const csrf = await browser.csrfOf(HOME)
  for (const id of [foreign, '00000000-0000-7000-8000-000000000000', 'x']) {
    expect((await browser.get(`${HOME}/${id}`)).status).toBe(404)
    expect((await browser.post(`${HOME}/${id}`, { ...FORM, csrf })).status).toBe(404)
    expect((await browser.post(`${HOME}/${id}/remove`, { csrf })).status).toBe(404)
  }
  expect((await browser.get(HOME)).text).not.toContain('Theirs')
  const rows = await api.owner.selectFrom('connect_kits').select('name').where('id', '=', foreign!).execute()
  expect(rows).toEqual([{ name: 'Theirs' }])
})

test('no form works without a session or without its CSRF token', async () => {
  expect((await browse(url).get(HOME)).status).toBe(401)
  expect((await browse(url).post(HOME, FORM)).status).toBe(401)
  for (const csrf of [{}, { csrf: '' }])
    expect((await browser.post(HOME, { ...FORM, ...csrf })).status).toBe(403)
})

test('parallel requests cannot make more than 20 kits', async () => {
  const csrf = await browser.csrfOf(HOME)
  const made = await Promise.all(Array.from({ length: 24 }, () => browser.post(HOME, { ...FORM, csrf })))
  expect(made.filter(({ status }) => status === 303)).toHaveLength(20)
  expect(made.filter(({ status }) => status === 400)).toHaveLength(4)
})

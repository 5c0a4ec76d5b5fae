import { randomBytes } from 'node:crypto'
import { TOTP } from 'otpauth'
import { beforeAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { startAccountWorld } from '../account/account-world.ts'
import { openBrowser } from '../account/browser.ts'
import { browse } from '../account/browse.ts'
import { usersWorld } from '../account/users-world.ts'
import { testDatabase } from '../setup/database.ts'
import { idleButtons, problemsWith, tooWide } from './check-page.ts'
import { isPage, leadsOn } from './crawl.ts'
import { listRoutes, type ServedRoute } from './filled-site.ts'

// Every page of the embedded provider. Most exist only in the middle of a sign-in, so no link leads to them: whoever adds
// a page adds it to `PLACES`, or the first test fails.

const served: ServedRoute[] = []
const database = await testDatabase()
const world = await startAccountWorld({
  database,
  routes,
  hasAgents: true,
  watchIssuer: [listRoutes(served)],
})
const { url, issuer } = world
const { invite, newUser, begin, withPassword, settingsOf } = usersWorld(world)
const { newPage, expectNoOffence } = await openBrowser()

/** What programs and the provider itself answer. */
const FOR_PROGRAMS = /^\/(\.well-known\/|jwks|auth|token|reg)|\.js$/

interface Place {
  route: string
  /** A browser that may see it. */
  browser: ReturnType<typeof browse>
  path: string
  status?: number
}
const places: Place[] = []
const pathOf = (address: string) => new URL(address, issuer).pathname

/** An agent that registers and asks a user, as programs of others do. */
async function askForAgent(): Promise<Place> {
  const { name } = await newUser()
  const redirect = 'http://127.0.0.1:33418/callback'
  const registered = await fetch(`${issuer}/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'A quite long name of an agent that somebody has written',
      redirect_uris: [redirect],
    }),
  })
  const { client_id } = (await registered.json()) as { client_id: string }
  const asked = new URLSearchParams({
    client_id,
    response_type: 'code',
    redirect_uri: redirect,
    scope: 'sluice:read',
    resource: `${url}/mcp`,
    code_challenge: randomBytes(32).toString('base64url'),
    code_challenge_method: 'S256',
  })
  const browser = browse(issuer)
  const form = new URL((await browser.get(`/auth?${asked.toString()}`)).location!, issuer).href
  let { location } = await browser.post(form, { user: name, password: 'correct horse battery' })
  let path = ''
  while (location !== null) {
    path = pathOf(location)
    ;({ location } = await browser.get(location))
  }
  return { route: '/interaction/:uid/consent', browser, path }
}

beforeAll(async () => {
  const visitor = browse(url)
  places.push({ route: '/interaction/:uid', browser: visitor, path: pathOf(await begin(visitor)) })

  const { name: careful } = await newUser()
  const own = await settingsOf(careful)
  places.push({ route: '/security', browser: own.browser, path: '/security' })
  const page = await own.act('/app')
  const secret = /Key: <code>([^<]+)/.exec(page.text)![1]!.replaceAll(' ', '')
  await own.act('/app/confirm', { code: new TOTP({ secret }).generate() }, '/app')
  const withCode = await withPassword(careful)
  const code = `${pathOf(withCode.form)}/code`
  places.push({ route: '/interaction/:uid/code', browser: withCode.browser, path: code })

  const { name: beginner } = await newUser()
  const settings = await settingsOf(beginner)
  await settings.act('/app')
  places.push({ route: '/security/app', browser: settings.browser, path: '/security/app' })
  places.push({ route: '/security', browser: settings.browser, path: '/security' })

  places.push(await askForAgent())
  const { link } = await invite()
  places.push({ route: '/invitation/:token', browser: browse(issuer), path: pathOf(link) })

  const nobody = browse(issuer)
  places.push(
    { route: '/invitation/:token', browser: nobody, path: '/invitation/used', status: 404 },
    { route: '/security', browser: nobody, path: '/security', status: 401 },
    { route: '/interaction/:uid', browser: nobody, path: '/interaction/expired', status: 400 },
    { route: '', browser: nobody, path: '/nowhere', status: 404 },
  )
})

const openAs = async ({ browser }: Place, options: Parameters<typeof newPage>[0]) => {
  const page = await newPage(options)
  const cookies = [...browser.cookies].map(([name, value]) => ({ name, value, url: issuer }))
  if (cookies.length > 0) await page.context().addCookies(cookies)
  return page
}

test('each page that the provider serves is looked at, has its status, and leads on', async () => {
  const seen = new Set(places.map(({ route }) => route))
  const missed = served.filter(
    ({ method, url: route }) => method === 'GET' && !FOR_PROGRAMS.test(route) && !seen.has(route),
  )
  expect(missed).toEqual([])
  for (const { browser, path, status = 200 } of places) {
    const answer = await browser.send(new URL(path, issuer).href, { headers: { accept: 'text/html' } })
    expect([path, answer.status, isPage(answer), leadsOn(answer)]).toEqual([path, status, true, true])
  }
})

test('they fit, are accessible in light and dark, and work by keyboard', async () => {
  const problems: string[] = []
  for (const place of places) {
    const page = await openAs(place, { width: 1_200 })
    problems.push(...(await problemsWith(page, issuer, place.path)))
    await page.context().close()
  }
  expect(problems).toEqual([])
  expectNoOffence()
})

test('they show the same without scripts', async () => {
  const problems: string[] = []
  for (const place of places) {
    const page = await openAs(place, { width: 360, javaScriptEnabled: false })
    await page.goto(issuer + place.path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const wrong = [...(await tooWide(page)), ...(await idleButtons(page))]
    problems.push(...wrong.map((one) => `${place.path}: ${one}`))
    await page.context().close()
  }
  expect(problems).toEqual([])
  expectNoOffence()
})

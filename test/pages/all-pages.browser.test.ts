import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '../account/browser.ts'
import { browse, type Page as Answer } from '../account/browse.ts'
import { idleButtons, problemsWith, tooWide } from './check-page.ts'
import { crawl, type FoundForm, formsOf, isPage, leadsOn } from './crawl.ts'
import { startFilledSite, type Visitor } from './filled-site.ts'

// Every page that the router serves, found by following links: whoever adds a page adds it to this test. Pages of the
// embedded provider are in issuer-pages.browser.test.ts.

const { url, served, routeOf, visitors } = await startFilledSite()
const { newPage, expectNoOffence } = await openBrowser()
const site = new Map<string, Awaited<ReturnType<typeof crawl>>>()

/** They answer programs. */
const FOR_PROGRAMS = /^\/mcp$|^\/\.well-known\/|\.(js|csv|json|txt)$/
/** The provider and old links lead there; both lead on at once. */
const LEADS_ON_AT_ONCE = ['/account/callback', '/docs']

beforeAll(async () => {
  for (const visitor of visitors) site.set(visitor.name, await crawl(visitor, { origin: url, routeOf }))
})

const found = () => [...site.values()].flatMap((one) => one.found)

test('links lead to every page, and none to what answers only programs', () => {
  const reached = new Set(found().map(({ route }) => route))
  const lost = served.filter(
    ({ method, url: route, isEndpoint }) =>
      method === 'GET' &&
      !isEndpoint &&
      !reached.has(route) &&
      !FOR_PROGRAMS.test(route) &&
      !LEADS_ON_AT_ONCE.includes(route),
  )
  expect(lost).toEqual([])
  const refused = found().filter(({ status }) => status >= 400)
  expect(refused.map(({ path, status }) => `${path}: ${status}`)).toEqual([])
  const pages = found().filter(isPage)
  expect(pages.filter((one) => !leadsOn(one)).map(({ path }) => path)).toEqual([])
  expect(pages.length).toBeGreaterThan(60)
})

/** A browser with the cookies of a visitor. */
async function openAs({ browser }: Visitor, options: Parameters<typeof newPage>[0]): Promise<Page> {
  const page = await newPage(options)
  const cookies = [...browser.cookies].map(([name, value]) => ({ name, value, url }))
  if (cookies.length > 0) await page.context().addCookies(cookies)
  return page
}

describe.each(['nobody', 'owner', 'operator'])('the pages of %s', (name) => {
  const visitor = () => visitors.find((one) => one.name === name)!
  const paths = () => [
    ...site
      .get(name)!
      .found.filter(isPage)
      .map(({ path }) => path),
    ...visitor().refusals,
  ]

  test('fit, are accessible in light and dark, and work by keyboard', async () => {
    const page = await openAs(visitor(), { width: 1_200 })
    const problems: string[] = []
    for (const path of paths()) problems.push(...(await problemsWith(page, url, path)))
    expect(problems).toEqual([])
    expectNoOffence()
  })

  test('show the same without scripts', async () => {
    const page = await openAs(visitor(), { width: 360, javaScriptEnabled: false })
    const problems: string[] = []
    for (const path of paths()) {
      await page.goto(url + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const wrong = [...(await tooWide(page)), ...(await idleButtons(page))]
      problems.push(...wrong.map((one) => `${path}: ${one}`))
    }
    expect(problems).toEqual([])
    expectNoOffence()
  })
})

/** Expects a page from which its reader goes on, whatever its status. */
function expectWayOn(what: string, answer: Answer): void {
  expect([what, answer.status, isPage(answer), leadsOn(answer)]).toEqual([what, answer.status, true, true])
  expect([what, answer.status < 500]).toEqual([what, true])
}

const asBrowser = { headers: { accept: 'text/html,*/*;q=0.8' } }
const LOST = [
  '/nowhere',
  '/account/nowhere',
  '/console/nowhere',
  '/account/keys/nothing',
  '/v1/docs/nowhere',
  '/v1/docs/coins/nowhere',
  '/news/nowhere',
  '/p/nowhere',
  '/connect/nowhere',
  '/%zz',
]

describe('whatever goes wrong, a person reads a page that leads on', () => {
  test('at addresses that do not exist', async () => {
    for (const { browser, name } of visitors)
      for (const path of LOST) {
        const answer = await browser.send(path, asBrowser)
        expectWayOn(`${name} at ${path}`, answer)
        expect(answer.status).toBeGreaterThanOrEqual(400)
      }
    // Programs get the error of the contract.
    const refused = await browse(url).get('/nowhere')
    expect(JSON.parse(refused.text)).toMatchObject({ statusCode: 404 })
  })

  test('at the address of a form that was opened again, and after a form of somebody who is not signed in', async () => {
    const forms = served.filter(
      ({ method, isEndpoint, url: at }) => method === 'POST' && !isEndpoint && at !== '/mcp',
    )
    expect(forms.length).toBeGreaterThan(40)
    const pages = new Set(served.filter(({ method }) => method === 'GET').map((one) => one.url))
    for (const { url: at } of forms) {
      const path = at.replaceAll(/:\w+/g, '0')
      for (const { browser, name } of visitors.slice(0, 2)) {
        if (!pages.has(at)) expectWayOn(`${name} opens ${at}`, await browser.send(path, asBrowser))
        const body = new URLSearchParams({ csrf: 'old' })
        expectWayOn(`${name} sends ${at}`, await browser.send(path, { method: 'POST', body, ...asBrowser }))
      }
    }
  })

  test('after each form that is sent empty', async () => {
    for (const { browser, name } of visitors) {
      const forms = site.get(name)!.found.filter(isPage).flatMap(formsOf)
      const order = (one: FoundForm) =>
        /sign-out/.test(one.action) ? 2 : /remove|revoke|delete|end/.test(one.action) ? 1 : 0
      const sent = new Map(forms.map((one) => [one.action.replace(/\?.*/, ''), one]))
      for (const { action, hidden, on } of [...sent.values()].sort((a, b) => order(a) - order(b))) {
        const body = new URLSearchParams(hidden)
        const answer = await browser.send(
          new URL(action, url + on).pathname + new URL(action, url + on).search,
          { method: 'POST', body, ...asBrowser },
        )
        const [to] = answer.location === null ? [] : [new URL(answer.location, url)]
        if (to && to.origin !== url) continue
        expectWayOn(
          `${name} sends ${action}`,
          to ? await browser.send(to.pathname + to.search, asBrowser) : answer,
        )
      }
    }
  })
})

import axe, { type AxeResults } from 'axe-core'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, expect, inject } from 'vitest'
import '../setup/provided.ts'

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Starts a real browser with its own profile. It collects forbidden actions of its pages for
 * `expectNoOffence`.
 */
export async function openBrowser() {
  const found = inject('chromium')
  if ('problem' in found) throw new Error(found.problem)
  // Playwright creates a profile for this run and deletes it afterwards.
  const browser = await chromium.launch({ executablePath: found.program, headless: true, args: FLAGS })
  afterAll(() => browser.close())
  const offences: string[] = []

  /** Opens a page in a new, isolated context. */
  async function newPage(options: {
    width: number
    javaScriptEnabled?: boolean
    colorScheme?: 'dark'
  }): Promise<Page> {
    const { width, ...others } = options
    const context: BrowserContext = await browser.newContext({ viewport: { width, height: 800 }, ...others })
    // Generous, as the limits of vitest.config.ts: what a page waits for on a busy machine measures nothing.
    context.setDefaultTimeout(120_000)
    const page = await context.newPage()
    page.on('response', (response) => {
      const request = response.request()
      const isPage = request.isNavigationRequest() && request.frame() === page.mainFrame()
      // The server gives up on a database that is slow for a moment, and people reload the page.
      if (isPage && response.status() === 503) setTimeout(() => void page.reload().catch(() => {}), 500)
    })
    page.on('request', (request) => {
      const { hostname, protocol } = new URL(request.url())
      if (hostname !== '127.0.0.1' && protocol !== 'data:') offences.push(`asked ${request.url()}`)
    })
    page.on('console', (message) => {
      const text = message.text()
      // The browser logs this for each error response.
      if (!text.startsWith('Failed to load resource')) offences.push(`said ${text}`)
    })
    page.on('pageerror', (error) => offences.push(`failed: ${error.message}`))
    return page
  }

  return { newPage, expectNoOffence: () => expect(offences).toEqual([]) }
}

/** Expects that the page does not scroll sideways. */
export async function expectToFit(page: Page): Promise<void> {
  const [inside, outside] = (await page.evaluate(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )) as [number, number]
  expect([page.url(), inside]).toEqual([page.url(), outside])
}

/** Expects a label for every field, and a name for every picture, button and link. */
export async function expectNames(page: Page): Promise<void> {
  const nameless = await page.evaluate(`[
    ...[...document.querySelectorAll('input:not([type=hidden]), select, textarea')].filter(({ labels }) => !labels.length || !labels[0].textContent.trim()),
    ...[...document.querySelectorAll('svg:not([aria-hidden])')].filter((one) => !one.getAttribute('aria-label')),
    ...[...document.querySelectorAll('button, a')].filter((one) => !one.textContent.trim()),
  ].map(({ outerHTML }) => outerHTML)`)
  expect(nameless).toEqual([])
}

/** Expects that axe-core finds nothing serious. The page needs scripts. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(serious.map(({ id, nodes }) => [page.url(), id, nodes.map(({ html }) => html)])).toEqual([])
}

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

/** A real browser with a profile of its own. What its pages may not do is collected and has to be nothing. */
export async function openBrowser() {
  const found = inject('chromium')
  if ('problem' in found) throw new Error(found.problem)
  // Without a profile given, one is made for this run and removed after it.
  const browser = await chromium.launch({ executablePath: found.program, headless: true, args: FLAGS })
  afterAll(() => browser.close())
  const offences: string[] = []

  /** A context that knows nothing of the others. */
  async function newPage(options: { width: number; javaScriptEnabled?: boolean }): Promise<Page> {
    const { width, ...others } = options
    const context: BrowserContext = await browser.newContext({ viewport: { width, height: 800 }, ...others })
    const page = await context.newPage()
    page.on('request', (request) => {
      const { hostname, protocol } = new URL(request.url())
      if (hostname !== '127.0.0.1' && protocol !== 'data:') offences.push(`asked ${request.url()}`)
    })
    page.on('console', (message) => {
      const text = message.text()
      // What the browser says of an answer that is an error.
      if (!text.startsWith('Failed to load resource')) offences.push(`said ${text}`)
    })
    page.on('pageerror', (error) => offences.push(`failed: ${error.message}`))
    return page
  }

  return { newPage, expectNoOffence: () => expect(offences).toEqual([]) }
}

/** Nothing of the page is outside of the screen. */
export async function expectToFit(page: Page): Promise<void> {
  const [inside, outside] = (await page.evaluate(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )) as [number, number]
  expect([page.url(), inside]).toEqual([page.url(), outside])
}

/** Every field has a label that a reader hears, and every table and picture a name. */
export async function expectNames(page: Page): Promise<void> {
  const nameless = await page.evaluate(`[
    ...[...document.querySelectorAll('input:not([type=hidden]), select, textarea')].filter(({ labels }) => !labels.length || !labels[0].textContent.trim()),
    ...[...document.querySelectorAll('svg:not([aria-hidden])')].filter((one) => !one.getAttribute('aria-label')),
    ...[...document.querySelectorAll('button, a')].filter((one) => !one.textContent.trim()),
  ].map(({ outerHTML }) => outerHTML)`)
  expect(nameless).toEqual([])
}

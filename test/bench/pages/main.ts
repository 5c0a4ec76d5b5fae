import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium, type Page } from 'playwright-core'
import { findChromium } from '../../../cli/find-chromium.ts'
import { readSecrets } from '../../../cli/secrets.ts'
import { DEMO_SUBJECT, OPERATOR_SUBJECT } from '../../../db/values/demo-names.ts'
import { startSluice } from '../../start/running.ts'
import { readArguments } from '../shared/arguments.ts'
import { createCleanup } from '../shared/cleanup.ts'
import { busyReason, machineLine } from '../shared/machine.ts'
import { CALLBACK, makeOwnedPages } from './owned-pages.ts'
import { PAGES, type Viewer } from './pages.ts'

// The first byte and the size of every page, as Chromium sees them on a filled sandbox.

const GOALS = { firstByteMs: 100, bytes: 50 * 1024 }
const args = readArguments({ loads: 40 })
const log = (line: string) => console.log(`bench:pages ${line}`)
const busy = busyReason()
const cleanup = createCleanup()

interface PageFigures {
  path: string
  /** 95th percentile of the time from request to first byte. */
  firstByteMs: number
  /** Sent bytes of the page with its scripts and styles, without pictures. */
  bytes: number
}

try {
  log('starting an installation')
  const sluice = await startSluice()
  cleanup.add(sluice.stop)
  const url = sluice.url.replace(/\/v1$/, '')
  const executablePath = await findChromium({ env: process.env, log })
  const browser = await chromium.launch({
    executablePath,
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  })
  cleanup.add(() => browser.close())
  const viewers = new Map<Viewer, Page>()
  for (const viewer of [null, 'owner', 'operator'] as const)
    viewers.set(viewer, await signedIn(browser, { url, home: sluice.home, viewer }))
  const owned = await makeOwnedPages(viewers.get('owner')!, url)
  const filledIn: Record<string, string> = {
    ...owned,
    article: await firstArticle(sluice),
    callback: encodeURIComponent(CALLBACK),
  }
  log('waiting until the first start has computed everything')
  await untilCalm()
  const figures: PageFigures[] = []
  for (const [path, viewer] of Object.entries(PAGES)) {
    log(path)
    figures.push(
      await measure(viewers.get(viewer)!, {
        url,
        path,
        at: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => filledIn[name]!),
      }),
    )
  }
  report(figures)
} finally {
  await cleanup.run()
}

/** An installation works on for a minute or two after its first start says that it is up. */
async function untilCalm(): Promise<void> {
  for (let waitedS = 0; busyReason() !== null && waitedS < 300; waitedS += 5) await sleep(5_000)
}

async function signedIn(
  browser: Browser,
  { url, home, viewer }: { url: string; home: string; viewer: Viewer },
): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1_200, height: 900 } })).newPage()
  if (viewer === null) return page
  const { demoPassword, operatorPassword } = readSecrets(home)!
  const [subject, password, to, heading] =
    viewer === 'owner'
      ? ([DEMO_SUBJECT, demoPassword, '', 'Portfolio'] as const)
      : ([OPERATOR_SUBJECT, operatorPassword, '?to=console', 'Overview'] as const)
  await page.goto(`${url}/account/sign-in${to}`)
  await page.getByLabel('User').fill(subject)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  // A page of a busy machine may say that it is unavailable for a moment.
  const shown = page.getByRole('heading', { level: 1, name: heading })
  for (let attempt = 1; !(await shown.isVisible()); attempt++) {
    if (attempt > 20) throw new Error(`${page.url()} shows ${await page.locator('main').innerText()}`)
    await sleep(3_000)
    await page.reload()
  }
  return page
}

async function firstArticle({ url, key }: { url: string; key: string }): Promise<string> {
  const response = await fetch(`${url}/news?limit=1`, { headers: { 'x-api-key': key } })
  const { result } = (await response.json()) as { result: { id: string }[] }
  return result[0]!.id
}

/** Loads a page many times, without the browser's cache. */
async function measure(
  page: Page,
  { url, path, at }: { url: string; path: string; at: string },
): Promise<PageFigures> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  const times: number[] = []
  let bytes = 0
  for (let i = 0; i < args.loads; i++) {
    const response = await page.goto(url + at, { waitUntil: 'load' })
    if (response?.status() !== 200) throw new Error(`${at} answers ${response?.status()}`)
    const timing = response.request().timing()
    times.push(timing.responseStart - timing.requestStart)
    bytes = (await page.evaluate(`[
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource').filter(({ initiatorType }) => initiatorType !== 'img'),
    ].reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`)) as number
  }
  await session.detach()
  const sorted = times.toSorted((a, b) => a - b)
  return { path, firstByteMs: sorted[Math.ceil(sorted.length * 0.95) - 1]!, bytes }
}

function report(figures: readonly PageFigures[]): void {
  const isSlow = ({ firstByteMs }: PageFigures) => firstByteMs > GOALS.firstByteMs
  const isLarge = ({ bytes }: PageFigures) => bytes > GOALS.bytes
  console.log(
    [
      `\nPages; ${machineLine()}${busy ? `\nNot judged: ${busy}.` : ''}\n`,
      `| page | first byte, p95 of ${args.loads} (goal 100 ms) | bytes (goal 51,200) |`,
      '| --- | --- | --- |',
      ...figures.map(
        (one) =>
          `| \`${one.path}\` | ${one.firstByteMs.toFixed(0)} ms${isSlow(one) ? ' TOO SLOW' : ''} | ` +
          `${one.bytes.toLocaleString('en')}${isLarge(one) ? ' TOO LARGE' : ''} |`,
      ),
      '',
    ].join('\n'),
  )
  if (args.json) console.log(JSON.stringify({ pages: figures, lines: GOALS, judged: busy === null }))
  if (!busy && figures.some((one) => isSlow(one) || isLarge(one))) process.exitCode = 1
}

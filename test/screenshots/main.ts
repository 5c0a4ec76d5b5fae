import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { OPERATOR_SUBJECT } from '../../db/values/demo-names.ts'
import { ROOT } from '../../cli/folders.ts'
import { shootConnect } from './connect-shots.ts'

const FOLDER = join(ROOT, 'docs/images')
/** The console of a sandbox in light and dark mode. */
const SHOTS = [
  { path: '/console', file: 'console-overview.png', colorScheme: 'light', height: 1_150 },
  { path: '/console/money', file: 'console-money.png', colorScheme: 'dark', height: 1_150 },
] as const
const WIDTH = 1_200
/** The demo, which needs no sign-in. */
const DEMO_SHOTS = [
  { path: '/demo?range=1y', file: 'portfolio.png', colorScheme: 'light', height: 1_155 },
  { path: '/demo/coin?coinId=ethereum', file: 'explain-coin.png', colorScheme: 'dark', height: 800 },
] as const

/** `sluice screenshots` runs this and sets CONSOLE (its URL), PASSWORD and DEMO_PASSWORD. */
const url = process.env['CONSOLE']!
const password = process.env['PASSWORD']!

mkdirSync(FOLDER, { recursive: true })
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM']!,
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
})
try {
  for (const { path, file, colorScheme, height } of SHOTS) {
    const page = await browser.newPage({ viewport: { width: WIDTH, height }, colorScheme })
    await page.goto(`${url}/account/sign-in?to=console`)
    await page.getByLabel('User').fill(OPERATOR_SUBJECT)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.goto(url + path)
    await page.getByText('Live, every').waitFor()
    await page.screenshot({ path: join(FOLDER, file) })
    console.log(`wrote docs/images/${file}`)
    await page.context().close()
  }
  for (const { path, file, colorScheme, height } of DEMO_SHOTS) {
    const page = await browser.newPage({ viewport: { width: WIDTH, height }, colorScheme })
    await page.goto(url + path)
    await page.getByText('This is the demo account').waitFor()
    await page.screenshot({ path: join(FOLDER, file) })
    console.log(`wrote docs/images/${file}`)
    await page.context().close()
  }
  await shootConnect(browser, { url, password: process.env['DEMO_PASSWORD']!, folder: FOLDER })
} finally {
  await browser.close()
}

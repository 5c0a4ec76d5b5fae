import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { DEMO_SUBJECT } from '../../db/values/demo-names.ts'

/** The screenshots of docs/clients.md: a popup on a desktop in light mode, and a phone in dark mode. */
const SHOTS = [
  { screen: '', file: 'connect-start.png', colorScheme: 'light', width: 480, height: 560 },
  { screen: '/wallet', file: 'connect-wallet-phone.png', colorScheme: 'dark', width: 360, height: 620 },
] as const

const CALLBACK = 'https://app.example.com/connected'
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><circle cx="20" cy="20" r="20" fill="#0f766e"/><path d="M9 27l8-9 6 5 8-11" fill="none" stroke="#fff" stroke-width="4"/></svg>`

/** Makes a connect kit as the demo user, and shoots its screens. */
export async function shootConnect(
  browser: Browser,
  { url, password, folder }: { url: string; password: string; folder: string },
): Promise<void> {
  const owner = await browser.newPage()
  await owner.goto(`${url}/account/sign-in`)
  await owner.getByLabel('User').fill(DEMO_SUBJECT)
  await owner.getByLabel('Password').fill(password)
  await owner.getByRole('button', { name: 'Sign in' }).click()
  await owner.getByRole('link', { name: 'Connect kits' }).click()
  await owner.getByLabel('Name of your app').fill('Paper Hands')
  await owner.getByLabel('Logo').fill(`data:image/svg+xml;base64,${Buffer.from(LOGO).toString('base64')}`)
  await owner.getByLabel('Accent colour').fill('#0f766e')
  await owner.getByLabel('Trusted origins').fill(new URL(CALLBACK).origin)
  await owner.getByRole('button', { name: 'Make a connect kit' }).click()
  const kitId = await owner.getByRole('main').locator('section code').first().textContent()
  await owner.close()
  for (const { screen, file, colorScheme, width, height } of SHOTS) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme, deviceScaleFactor: 2 })
    await page.goto(`${url}/connect/${kitId}${screen}?callback=${encodeURIComponent(CALLBACK)}`)
    await page.screenshot({ path: join(folder, file) })
    console.log(`wrote docs/images/${file}`)
    await page.context().close()
  }
}

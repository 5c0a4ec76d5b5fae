import type { Page } from 'playwright-core'

/** An app that connects its users. */
export const CALLBACK = 'https://app.example.com/connected'

/** Makes a link to share and a connect kit, as an owner who is signed in. Returns what is in the addresses of their pages. */
export async function makeOwnedPages(owner: Page, url: string): Promise<{ share: string; kit: string }> {
  await owner.goto(`${url}/account/shares`)
  await owner.getByRole('button', { name: 'Make a link' }).click()
  const link = await owner.getByRole('status').locator('output').textContent()
  await owner.goto(`${url}/account/kits`)
  await owner.getByLabel('Name of your app').fill('Paper Hands')
  await owner.getByLabel('Trusted origins').fill(new URL(CALLBACK).origin)
  await owner.getByRole('button', { name: 'Make a connect kit' }).click()
  const kit = await owner.getByRole('main').locator('section code').first().textContent()
  return { share: /\/p\/([\w-]+)/.exec(link!)![1]!, kit: kit! }
}

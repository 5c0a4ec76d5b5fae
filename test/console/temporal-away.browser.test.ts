import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { createTemporal } from '../../web/console/temporal.ts'
import { openBrowser } from '../account/browser.ts'
import { insertSources } from './console-data.ts'
import { startOperatorWorld } from './operator-world.ts'

// A server that takes connections and never says a word, as a frozen one does.
const silent = createServer()
await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
const address = `127.0.0.1:${(silent.address() as AddressInfo).port}`
const temporal = createTemporal({ address, namespace: 'default', uiUrl: null, now: () => new Date() })
const { api, url, signIn, actionsOn } = await startOperatorWorld({ temporal })
const { newPage, expectNoOffence } = await openBrowser()
afterAll(async () => {
  await temporal.close()
  silent.close()
})

test('with Temporal away the console shows the rest, and actions on sources work', async () => {
  await insertSources(api.owner)
  const page = await newPage({ width: 1_280 })
  await signIn(page)
  await page.getByRole('table', { name: 'Sources of prices' }).waitFor()
  await page.getByText('Temporal does not answer. No workflow starts until it does.').first().waitFor()
  await page.goto(`${url}/console/schedules`)
  await page.getByText('Temporal does not answer. No workflow starts until it does.').waitFor()
  await page.goto(`${url}/console/sources/coingecko`)
  await page.getByRole('button', { name: 'Pause coingecko' }).click()
  await page.getByText('No worker asks it until somebody resumes it.').waitFor()
  expect(await actionsOn('coingecko')).toMatchObject([{ action: 'pause a source' }])
  expectNoOffence()
})

import type { Page } from 'playwright-core'
import { setOperator } from '../../db/metering/write.ts'
import { OPERATOR_SUBJECT } from '../../db/values/demo-names.ts'
import { OPERATOR_PASSWORD, startAccountWorld } from '../account/account-world.ts'
import { probeRoutes } from '../api/probe-routes.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

/** A console with an operator, who signs in with a browser. */
export async function startOperatorWorld(
  options: Omit<Parameters<typeof startAccountWorld>[0], 'database' | 'routes'> = {},
) {
  const database = await testDatabase()
  const world = await startAccountWorld({ ...options, database, routes: probeRoutes })
  const { api, url, issuer } = world
  await setOperator(api.owner, { issuer, subject: OPERATOR_SUBJECT, isOperator: true })

  async function signIn(page: Page): Promise<void> {
    await page.goto(`${url}/console`)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('User').fill(OPERATOR_SUBJECT)
    await page.getByLabel('Password').fill(OPERATOR_PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  }

  /** What operators did to something, oldest first. */
  const actionsOn = (subject: string) =>
    query<{ operator: string; action: string }>(
      database.ownerUrl,
      'select operator, action from operator_actions where subject = $1 order by id',
      [subject],
    )

  return { ...world, database, signIn, actionsOn }
}

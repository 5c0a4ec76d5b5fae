import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DefaultLogger } from '@temporalio/worker'
import { afterAll, expect, test } from 'vitest'
import { workflowBundle } from '../../activities/workflow-bundle.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-bundle-'))
afterAll(() => rmSync(folder, { recursive: true }))
const quiet = new DefaultLogger('ERROR')

test('takes the bundle of the same files from the cache', async () => {
  const { code } = await workflowBundle(folder, quiet)
  expect(code).toContain('syncWallet')
  const [name, ...others] = readdirSync(folder)
  expect(others).toEqual([])
  expect(readFileSync(join(folder, name!), 'utf8')).toBe(code)
  writeFileSync(join(folder, name!), 'of the cache')
  expect(await workflowBundle(folder, quiet)).toEqual({ code: 'of the cache' })
})

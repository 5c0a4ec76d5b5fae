import type { TestProject } from 'vitest/node'
import { findChromium } from '../../cli/find-chromium.ts'
import './provided.ts'

/**
 * Finds or installs the browser, only if a browser test was selected. Without a browser only those tests
 * fail.
 */
export default async function setup(project: TestProject): Promise<void> {
  const log = (line: string) => console.log(`set-up: ${line}`)
  const found = await findChromium({ env: process.env, log }).then(
    (program) => ({ program }),
    (error: Error) => ({ problem: error.message }),
  )
  project.provide('chromium', found)
}

import type { TestProject } from 'vitest/node'
import { findChromium } from '../../cli/chromium/find-chromium.ts'
import './provided.ts'

/** Finds the browser, or installs it: only where a test with one was chosen. Without one, those tests fail and no others. */
export default async function setup(project: TestProject): Promise<void> {
  const log = (line: string) => console.log(`set-up: ${line}`)
  const found = await findChromium({ env: process.env, log }).then(
    (program) => ({ program }),
    (error: Error) => ({ problem: error.message }),
  )
  project.provide('chromium', found)
}

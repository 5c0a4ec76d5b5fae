import type { TestProject } from 'vitest/node'
import { findChromium } from '../../cli/chromium/find-chromium.ts'
import './provided.ts'

/** Finds the browser, or installs it: only where a test with one was chosen. */
export default async function setup(project: TestProject): Promise<void> {
  const log = (line: string) => console.log(`set-up: ${line}`)
  project.provide('chromium', await findChromium({ env: process.env, log }))
}

import type { TestProject } from 'vitest/node'
import { startSluice } from '../start/running.ts'
import './provided.ts'

/** Starts one installation in the sandbox for all files of the project. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  console.log('set-up: starting an installation')
  const { url, home, key, wallet, stop } = await startSluice()
  project.provide('installation', { url, home, key, wallet })
  return stop
}

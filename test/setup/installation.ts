import type { TestProject } from 'vitest/node'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { startSluice } from '../start/running.ts'
import './provided.ts'

/** Starts one installation in the sandbox for all files of the project. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  console.log('set-up: starting an installation')
  const webhookPorts = [await freePort(), await freePort()]
  const hosts = webhookPorts.map((port) => `127.0.0.1:${port}`).join(',')
  const { url, home, key, wallet, stop } = await startSluice({ env: { WEBHOOK_ALLOWED_HOSTS: hosts } })
  project.provide('installation', { url, home, key, wallet, webhookPorts })
  return stop
}

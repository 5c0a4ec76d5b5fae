import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, inject, onTestFinished, test } from 'vitest'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { ROLE_PASSWORDS, testDatabase } from '../setup/database.ts'
import { isRoot } from '../start/elsewhere.ts'
import { daemonlessImage, inImage } from './daemonless-image.ts'
import { buildImage, readRuntime, readStages } from './image.ts'

// An image built and served without a daemon runs as a container would, from its own files alone: no library and
// no package of this machine.

const stages = await readStages()
const runtime = readRuntime(stages)
const cmd = ['node', '--max-semi-space-size=16', 'api/main.ts']
const image = isRoot ? await daemonlessImage(await buildImage(stages), { ...runtime, cmd }) : null
const database = await testDatabase()
// The user of the image may not enter the folder of the socket.
const urlOf = (role: 'ingest' | 'api' | 'meter') =>
  `postgres://${role}:${ROLE_PASSWORDS[role]}@127.0.0.1:${inject('postgres').port}/${database.name}`
const urls = {
  INGEST_DATABASE_URL: urlOf('ingest'),
  API_DATABASE_URL: urlOf('api'),
  METER_DATABASE_URL: urlOf('meter'),
}

function start(args: readonly string[], env: Record<string, string> = {}) {
  const [program, words] = inImage(image!, args)
  const PATH = '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  const child = spawn(program, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, ...runtime.env, ...urls, ...env },
  })
  const printed: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => printed.push(data))
  const output = () => Buffer.concat(printed).toString()
  const ended = once(child, 'close').then(output)
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  return { ended, output }
}

test.skipIf(!isRoot)('the registry serves user, environment and command of the Dockerfile', () => {
  expect(image!.config).toMatchObject({ User: runtime.user, Cmd: cmd, WorkingDir: '/app' })
  expect(image!.config.Env.sort()).toEqual(
    Object.entries(runtime.env)
      .map(([name, value]) => `${name}=${value}`)
      .sort(),
  )
})

test.skipIf(!isRoot)('its processes are that user, and may write to /tmp alone', async () => {
  const script = `const { writeFileSync } = require('fs')
    for (const file of ['/app/x', '/x', '/tmp/x'])
      try { writeFileSync(file, ''); console.log(file) } catch ({ code }) { console.log(code) }
    console.log(process.getuid() + ':' + process.getgid())`
  const printed = await start(['-e', script]).ended
  expect(printed.trim().split('\n')).toEqual(['EROFS', 'EROFS', '/tmp/x', runtime.user])
})

/** What a process says when its probe does not answer; "ready" when it does. */
const probe = (port: string, { output }: { output: () => string }) =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(({ ok }) => (ok ? 'ready' : output()), output)

test.skipIf(!isRoot)('the API is ready in it, and answers', async () => {
  const [API_PORT, METRICS_PORT] = [String(await freePort()), String(await freePort())]
  const env = { SOURCES: 'live', API_PORT, METRICS_PORT, METRICS_HOST: '127.0.0.1' }
  const api = start(['--max-semi-space-size=16', '/app/api/main.ts'], env)
  await expect.poll(() => probe(METRICS_PORT, api)).toBe('ready')
  expect((await fetch(`http://127.0.0.1:${API_PORT}/v1/status`)).status).toBe(200)
})

test.skipIf(!isRoot)('the worker is ready in it, with the prebuilt workflows', async () => {
  const METRICS_PORT = String(await freePort())
  const worker = start(['/app/activities/worker.ts'], {
    SOURCES: 'sandbox',
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    METRICS_HOST: '127.0.0.1',
    METRICS_PORT,
  })
  await expect.poll(() => probe(METRICS_PORT, worker), { timeout: 200_000 }).toBe('ready')
})

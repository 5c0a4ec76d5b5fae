import { spawn } from 'node:child_process'
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { postgresAccount } from '../../cli/postgres/postgres-account.ts'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { PAY_TO } from '../setup/gateway.ts'
import { ROLE_PASSWORDS, testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { buildImage, readRuntime, readStages } from './image.ts'

// Processes run with only the files that the Dockerfile copies, as an account that may not write to them.

const stages = await readStages()
const runtime = readRuntime(stages)
const app = await buildImage(stages)
const account = await postgresAccount()
const database = await testDatabase()
const node = await reachableNode()

/** Copies Node beside the application, because the account may not enter the folder of our Node. */
async function reachableNode(): Promise<string> {
  const file = join(dirname(app), 'node', 'node')
  await mkdir(dirname(file))
  await copyFile(process.execPath, file)
  return file
}

/** Runs a program with the environment of the image; returns its exit code and output. */
function start(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(node, args, {
    cwd: app,
    ...account,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: dirname(node), ...runtime.env, WORKFLOW_CACHE: join(app, 'workflow-bundle'), ...env },
  })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => output.push(data))
  const text = () => Buffer.concat(output).toString()
  const ended = new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output: text() }))
  })
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  return { ended, text }
}

const urls = {
  INGEST_DATABASE_URL: database.ingestUrl,
  API_DATABASE_URL: database.apiUrl,
  METER_DATABASE_URL: database.meterUrl,
  GATEWAY_DATABASE_URL: database.gatewayUrl,
}

/** Starts a process and waits until the health check of the image succeeds. */
async function startHealthy(file: string, env: Record<string, string>) {
  const METRICS_PORT = String(await freePort())
  const own = { METRICS_HOST: '127.0.0.1', METRICS_PORT, ...urls, ...env }
  const service = start([file], { SOURCES: 'live', LOG_LEVEL: 'warn', ...own })
  const [program, ...check] = runtime.healthCheck
  expect(program).toBe('node')
  await expect
    .poll(
      () => Promise.race([start(check, { METRICS_PORT }).ended, service.ended]).then(({ code }) => code),
      {
        timeout: 200_000,
        interval: 500,
      },
    )
    .toBe(0)
    .catch((error: Error) => {
      throw new Error(`${error.message}\n${service.text()}`)
    })
  return service
}

test('runs as an account without privileges that may not write to the image', async () => {
  expect(runtime.user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  if (account === null) return
  const { code, output } = await start(['-e', `require('fs').writeFileSync('api/new.ts', '')`]).ended
  expect(output).toContain('EACCES')
  expect(code).not.toBe(0)
})

test('the migrations run', async () => {
  const server = inject('postgres')
  const name = `image_${database.name}`
  await query(database.ownerUrl, `create database ${name}`)
  const roles = Object.entries(ROLE_PASSWORDS).map(
    ([role, password]) =>
      [`${role.toUpperCase()}_DATABASE_URL`, `postgres://${role}:${password}@h/d`] as const,
  )
  const DATABASE_URL = `postgres://sluice:${server.ownerPassword}@127.0.0.1:${server.port}/${name}`
  const { code, output } = await start(['cli/main.ts', 'migrate'], {
    DATABASE_URL,
    ...Object.fromEntries(roles),
  }).ended
  await query(database.ownerUrl, `drop database ${name} with (force)`)
  expect(output).toContain('the database has the newest schema')
  expect(code).toBe(0)
})

test('the API is healthy and answers', async () => {
  const port = await freePort()
  await startHealthy('api/main.ts', { API_PORT: String(port) })
  expect((await fetch(`http://127.0.0.1:${port}/v1/status`)).status).toBe(200)
  expect((await fetch(`http://127.0.0.1:${port}/v1/docs`)).status).toBe(200)
})

test('the worker is healthy and uses the prebuilt workflow bundle', async () => {
  const bundles = await readdir(join(app, 'workflow-bundle'))
  expect(bundles).toHaveLength(1)
  // No real source is called, because all of them are off.
  const started = Date.now()
  await startHealthy('activities/worker.ts', {
    SOURCES: 'sandbox',
    TEMPORAL_ADDRESS: inject('temporalAddress'),
  })
  expect(Date.now() - started).toBeLessThan(40_000)
  expect(await readdir(join(app, 'workflow-bundle'))).toEqual(bundles)
})

test('the gateway answers with a challenge', async () => {
  const port = await freePort()
  const service = start(['gateway/main.ts'], {
    ...urls,
    SOURCES: 'live',
    GATEWAY_PORT: String(port),
    METRICS_PORT: '',
    X402_PUBLIC_URL: 'https://pay.example.org',
    X402_PAY_TO: PAY_TO,
    // No facilitator runs there, but challenges are sent anyway.
    X402_FACILITATOR_URL: 'http://127.0.0.1:9',
    X402_COOKIE_SECRETS: 'a:secret of this test which is long enough',
  })
  const status = () =>
    fetch(`http://127.0.0.1:${port}/coins`).then(
      (answer) => answer.status,
      () => service.text(),
    )
  await expect.poll(status).toBe(402)
})

test('every operator command loads', async () => {
  const developing = /^(start|test.*|check|bench|schema|openapi|screenshots)$/
  const script = `const { COMMANDS } = await import('./cli/commands.ts')
    for (const { name, load } of COMMANDS)
      await load().then(() => {}, ({ message }) => console.log(name, message))
    process.exit(0)`
  const { code, output } = await start(['--input-type=module', '-e', script]).ended
  expect(code).toBe(0)
  const missing = output.split('\n').filter((line) => line !== '' && !developing.test(line.split(' ')[0]!))
  expect(missing).toEqual([])
})

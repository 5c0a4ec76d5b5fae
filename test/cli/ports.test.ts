import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { httpAnswers } from '../../cli/supervisor/http-answers.ts'
import { installationId } from '../../cli/supervisor/installation-id.ts'
import { listens } from '../../cli/supervisor/listens.ts'
import { markOf } from '../../cli/supervisor/process-mark.ts'
import { reservePorts } from '../../cli/supervisor/reserve-ports.ts'
import { readRun, type Run } from '../../cli/supervisor/run-file.ts'
import type { ServiceSpec } from '../../cli/supervisor/service.ts'
import { createSupervisor } from '../../cli/supervisor/supervisor.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** An HTTP server that sends its installation and the text in TOLD. */
const SERVER = `
  const { PORT, INSTALLATION_ID, TOLD } = process.env
  require('node:http').createServer((request, response) => {
    response.setHeader('x-installation-id', INSTALLATION_ID)
    response.end(TOLD)
  }).listen(Number(PORT), '127.0.0.1')`

function serverSpec(name: string, { installation, ports }: Run, told = ''): ServiceSpec {
  const port = ports[name]!
  return {
    name,
    command: process.execPath,
    args: ['-e', SERVER],
    listensOn: [name],
    env: { PORT: String(port), INSTALLATION_ID: installation!, TOLD: told },
    health: { probe: () => httpAnswers(`http://127.0.0.1:${port}`, { installation }) },
    startDeadlineMs: 20_000,
    stopSignal: 'SIGTERM',
    stopDeadlineMs: 2_000,
  }
}

/** Starts a supervisor with its own home, as `npm start` does. */
async function startSupervisor(wanted: Record<string, number>) {
  const home = mkdtempSync(join(tmpdir(), 'sluice-ports-'))
  const lines: string[] = []
  const log = (line: string) => void lines.push(line)
  const ports = await reservePorts({ wanted, log })
  const run: Run = {
    supervisor: markOf(process.pid)!,
    children: {},
    ports: ports.numbers,
    sources: 'sandbox',
    temporalAddress: '127.0.0.1:1',
    installation: installationId(home),
  }
  const supervisor = createSupervisor({ home, run, ports, log })
  ends.push(async () => {
    await supervisor.stop()
    rmSync(home, { recursive: true, force: true })
  })
  return { home, lines, run, supervisor }
}

/** Starts a foreign program that claims to belong to `installation`. */
async function foreignServer(port: number, installation = 'another one') {
  const server = createServer((_request, response) =>
    response.setHeader('x-installation-id', installation).end('foreign'),
  ).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  ends.push(close)
  return close
}

const ask = async (port: number) => (await fetch(`http://127.0.0.1:${port}`)).text()

test('uses the next free port instead of a taken one, and the wanted port again once it is free', async () => {
  const port = await freePort()
  const close = await foreignServer(port)
  const lines: string[] = []
  const log = (line: string) => void lines.push(line)
  const first = await reservePorts({ wanted: { api: port }, log })
  expect(first.numbers['api']).toBeGreaterThan(port)
  expect(lines).toEqual([expect.stringContaining(`port ${port} (api) is taken`)])
  first.release()
  await close()
  const second = await reservePorts({ wanted: { api: port }, log })
  expect(second.numbers).toEqual({ api: port })
  second.release()
})

test('installations that reserve ports at the same moment get different ones', async () => {
  const port = await freePort()
  const wanted = { api: port, gateway: port + 1, postgres: port + 2 }
  const all = await Promise.all(Array.from({ length: 5 }, () => reservePorts({ wanted, log: () => {} })))
  const numbers = all.flatMap((ports) => Object.values(ports.numbers))
  expect(new Set(numbers).size).toBe(15)
  for (const ports of all) ports.release()
})

test('a port stays reserved while nothing listens on it, until its process is killed', async () => {
  const port = await freePort()
  const script = `
    const { reservePorts } = await import(${JSON.stringify(join(import.meta.dirname, '../../cli/supervisor/reserve-ports.ts'))})
    console.log((await reservePorts({ wanted: { api: ${port} }, log: () => {} })).numbers.api)
    setInterval(() => {}, 1_000)`
  const other = spawn(process.execPath, ['--input-type=module', '-e', script])
  ends.push(() => other.kill('SIGKILL'))
  const [theirs] = (await once(other.stdout, 'data')) as [Buffer]
  expect(Number(theirs.toString())).toBe(port)
  const during = await reservePorts({ wanted: { api: port }, log: () => {} })
  expect(during.numbers['api']).toBeGreaterThan(port)
  other.kill('SIGKILL')
  await once(other, 'exit')
  const after = await reservePorts({ wanted: { api: port }, log: () => {} })
  expect(after.numbers['api']).toBe(port)
  for (const ports of [during, after]) ports.release()
})

test('A8 two supervisors that start at the same moment each get their own services', async () => {
  const port = await freePort()
  const wanted = { facilitator: port, sandbox: port + 1 }
  const both = await Promise.all([startSupervisor(wanted), startSupervisor(wanted)])
  await Promise.all(
    both.flatMap(({ run, supervisor }) =>
      ['facilitator', 'sandbox'].map((name) =>
        supervisor.keep(() => serverSpec(name, run, `${name} of ${run.installation}`)),
      ),
    ),
  )
  for (const { run, home } of both) {
    expect(readRun(home)).toEqual(run)
    for (const name of ['facilitator', 'sandbox'])
      expect(await ask(run.ports[name]!)).toBe(`${name} of ${run.installation}`)
  }
})

test('a foreign server that answers the health check is not taken for ours', async () => {
  const { run, supervisor, lines } = await startSupervisor({ sandbox: await freePort() })
  // The foreign server takes the port between check and start, so the check is left out here.
  await foreignServer(run.ports['sandbox']!)
  const spec = () => ({ ...serverSpec('sandbox', run), listensOn: [] })
  await expect(supervisor.keep(spec, { attempts: 2 })).rejects.toThrow('EADDRINUSE')
  expect(lines.join('\n')).not.toContain('is up')
})

test('A8 a part whose port is taken while it is down moves, and the parts that use it are restarted', async () => {
  const { home, run, supervisor, lines } = await startSupervisor({
    sandbox: await freePort(),
    api: await freePort(),
  })
  const lost = run.ports['sandbox']!
  await supervisor.keep(() => serverSpec('sandbox', run, 'simulator'))
  await supervisor.keep(() => serverSpec('api', run, `http://127.0.0.1:${run.ports['sandbox']}`))
  const apiPort = run.ports['api']!
  process.kill(readRun(home)!.children['sandbox']!.pid, 'SIGKILL')
  await vi.waitFor(() => foreignServer(lost), { timeout: 60_000, interval: 1 })
  await vi.waitFor(
    async () => {
      const moved = readRun(home)!.ports['sandbox']!
      expect(moved).not.toBe(lost)
      expect(await ask(moved)).toBe('simulator')
      expect(await ask(apiPort)).toBe(`http://127.0.0.1:${moved}`)
    },
    { timeout: 60_000, interval: 100 },
  )
  expect(await ask(lost)).toBe('foreign')
  expect(run.ports['api']).toBe(apiPort)
  expect(lines.join('\n')).toContain(`port ${lost} (sandbox) was taken by another program`)
})

test('recognises a listening process by itself or by the group that it leads', async () => {
  const port = await freePort()
  const script = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(SERVER)}])`
  const leader = spawn(process.execPath, ['-e', script], {
    detached: true,
    stdio: 'ignore',
    env: { PORT: String(port), INSTALLATION_ID: 'x' },
  })
  ends.push(() => process.kill(-leader.pid!, 'SIGKILL'))
  await vi.waitFor(async () => expect(await httpAnswers(`http://127.0.0.1:${port}`)).toBe(true), 60_000)
  expect(listens({ pid: leader.pid!, port })).toBe(true)
  expect(listens({ pid: process.pid, port })).toBe(false)
  expect(listens({ pid: leader.pid!, port: await freePort() })).toBe(false)
})

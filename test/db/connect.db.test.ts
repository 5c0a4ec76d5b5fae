import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { sql } from 'kysely'
import { openDb } from '../../db/connect.ts'
import { preparedSelect } from '../../db/read-sql.ts'
import { testDatabase, throughPort } from '../setup/database.ts'
import { query } from '../setup/query.ts'

const database = await testDatabase()

test('A2 a connection closed by the server fails its statement, not the process', async () => {
  const { pool, close } = openDb({ url: database.apiUrl, maxConnections: 1, applicationName: 'test' })
  const client = await pool.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  await query(database.ownerUrl, 'select pg_terminate_backend($1, 1000)', [rows[0]!.pid])
  await expect(client.query('select 1')).rejects.toThrow(/terminat|not queryable/)
  client.release(true)
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await close()
})

test('a statement that begins with the mark is prepared, on whichever line it begins', async () => {
  const { db, close } = openDb({ url: database.apiUrl, maxConnections: 1, applicationName: 'test' })
  await sql`
    ${preparedSelect('two_lines')} ${1}::integer`.execute(db)
  const { rows } = await sql<{ name: string }>`select name from pg_prepared_statements`.execute(db)
  expect(rows).toEqual([{ name: 'two_lines' }])
  await close()
})

/** A proxy to the server. When muted, it passes nothing on but keeps connections open. */
async function mutableWay() {
  const { hostname, port } = new URL(database.apiUrl)
  let isMute = false
  const sockets: Socket[] = []
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    sockets.push(near, far)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('data', (data) => isMute || other.write(data))
      one.on('error', () => {})
      one.on('close', () => isMute || other.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const url = throughPort(database.apiUrl, (server.address() as AddressInfo).port)
  return { url, mute: (mute: boolean) => void (isMute = mute) }
}

test('A2 a statement fails when its server falls silent, but not when it takes long', async () => {
  const way = await mutableWay()
  const { pool, close } = openDb({
    url: way.url,
    maxConnections: 1,
    applicationName: 'test',
    connectDeadlineMs: 1_000,
    silence: { patienceMs: 150, deadlineMs: 250 },
  })
  expect((await pool.query(`select 'long' as what, pg_sleep(0.6)`)).rows).toMatchObject([{ what: 'long' }])
  const asked = pool.query('select pg_sleep(0.3)')
  way.mute(true)
  const startMs = performance.now()
  await expect(asked).rejects.toThrow('Connection terminated')
  expect(performance.now() - startMs).toBeLessThan(2_000)
  way.mute(false)
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await close()
})

/** Blocks the process, like a stopped process, a paused machine or a long garbage collection. */
const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test('A2 an answer that arrived while this process stood still is accepted', async () => {
  const { pool, close } = openDb({
    url: database.apiUrl,
    maxConnections: 1,
    applicationName: 'test',
    connectDeadlineMs: 1_000,
    answerDeadlineMs: 1_000,
  })
  // Retry, because a busy machine may take longer to connect than this pool waits.
  const connected = () => pool.query('select 1').then(({ rowCount }) => rowCount)
  await vi.waitFor(connected, 60_000)
  const [asked, waiting] = [pool.query('select 1 as one'), pool.query('select 2 as two')]
  // The statement is sent.
  await new Promise(setImmediate)
  standStill(1_500)
  expect((await asked).rows).toEqual([{ one: 1 }])
  expect((await waiting).rows).toEqual([{ two: 2 }])
  // A statement without an answer still fails.
  await expect(pool.query('select pg_sleep(3)')).rejects.toThrow(/timeout|terminated/)
  await vi.waitFor(connected, 60_000)
  await close()
})

test('some connections stay open without work, and the others close', async () => {
  const { pool, close } = openDb({
    url: database.ownerUrl,
    maxConnections: 4,
    warmConnections: 2,
    applicationName: 'test',
  })
  onTestFinished(close)
  pool.options.idleTimeoutMillis = 20
  await Promise.all([1, 2, 3, 4].map(() => pool.query('select pg_sleep(0.05)')))
  await expect.poll(() => pool.totalCount).toBe(2)
  await setTimeout(200)
  expect(pool.totalCount).toBe(2)
})

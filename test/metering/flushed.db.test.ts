import { afterAll, expect, test } from 'vitest'
import { createMeter } from '../../db/metering/meter.ts'
import { openDb } from '../../db/connect.ts'
import { uuidV7 } from '../../db/values/uuid-v7.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'

// A charge frees the balance for other processes before it is on the disk, and resolves only once it is.

const database = await testDatabase()
const api = await startApi({ database, routes: [] })
const owner = openDb({ url: database.ownerUrl, maxConnections: 2, applicationName: 'flushed' })
const { pool, close } = openDb({ url: database.meterUrl, maxConnections: 2, applicationName: 'flushed' })
const meter = createMeter({ admission: pool, charging: pool })
afterAll(async () => {
  await Promise.all([owner.close(), close()])
})
const { accountId } = await api.newAccount({ credits: 100_000 })
const charge = () => ({
  requestId: uuidV7(Date.now()),
  accountId,
  credits: 7,
  endpoint: 'GET /probe',
  priceInput: null,
})

test('C2 a batch commits without waiting for the disk, as all of its transaction says', async () => {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { requestId } = charge()
    await client.query('select * from charge_unflushed($1, $2, $3, $4, $5)', [
      [requestId],
      [accountId],
      [7],
      ['GET /probe'],
      [null],
    ])
    const { rows } = await client.query<{ synchronous_commit: string }>('show synchronous_commit')
    expect(rows).toEqual([{ synchronous_commit: 'off' }])
    await client.query('commit')
    const after = await client.query<{ synchronous_commit: string }>('show synchronous_commit')
    expect(after.rows[0]!.synchronous_commit).not.toBe('off')
  } finally {
    client.release()
  }
})

test('C2 a charge resolves once everything that it wrote is on the disk', async () => {
  // The writer of the log would flush them soon anyway, so one charge proves little.
  for (let i = 0; i < 50; i++) {
    const { requestId, ...rest } = charge()
    const [before] = await query<{ lsn: string }>(
      database.ownerUrl,
      'select pg_current_wal_insert_lsn()::text as lsn',
    )
    const [result] = await meter.charge([{ requestId, ...rest }])
    const { rows } = await owner.pool.query<{ ahead: boolean }>(
      'select pg_current_wal_flush_lsn() > $1::pg_lsn as ahead',
      [before!.lsn],
    )
    expect([result!.paid, rows[0]!.ahead]).toEqual([true, true])
  }
})

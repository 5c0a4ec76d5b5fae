import { createCharging } from '../../../api/metering/charging.ts'
import { openDb } from '../../../db/connect.ts'
import { createMeter } from '../../../db/metering/meter.ts'
import { uuidV7 } from '../../../db/values/uuid-v7.ts'

const CALLERS = 16

/**
 * charge-process.ts WAY METER_URL OWNER_URL ACCOUNT SECONDS: callers charge one account without pause, by the
 * product's group commit or with one UPDATE each. Prints the number of committed charges.
 */
const [way, meterUrl, ownerUrl, accountId, seconds] = process.argv.slice(2)
const { pool, close } = openDb({
  url: way === 'group' ? meterUrl! : ownerUrl!,
  // Group commit needs few connections. One UPDATE per request gets the default pool size of pg.
  maxConnections: way === 'group' ? 2 : 10,
  applicationName: 'bench-charge',
})
const charge = way === 'group' ? byGroupCommit() : byUpdate
await charge()
const untilMs = performance.now() + Number(seconds) * 1_000
let charged = 0
const startMs = performance.now()
await Promise.all(
  Array.from({ length: CALLERS }, async () => {
    while (performance.now() < untilMs) {
      await charge()
      charged++
    }
  }),
)
const ms = performance.now() - startMs
await close()
console.log(JSON.stringify({ charged: charged + 1, perSecond: (charged / ms) * 1_000 }))

function byGroupCommit(): () => Promise<void> {
  const group = createCharging(createMeter({ admission: pool, charging: pool }))
  return async () => {
    const requestId = uuidV7(Date.now())
    const entry = { requestId, accountId: accountId!, credits: 30, endpoint: 'bench', priceInput: null }
    if (!(await group(entry)).paid) throw new Error('not paid')
  }
}

async function byUpdate(): Promise<void> {
  const { rowCount } = await pool.query({
    name: 'update',
    text: 'update credit_periods set posted = posted + 30 where account_id = $1 and posted + 30 <= granted',
    values: [accountId],
  })
  if (rowCount !== 1) throw new Error('not paid')
}

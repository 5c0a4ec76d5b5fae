import { expect, test } from 'vitest'
import { createRiskActivities } from '../../../activities/risk/index.ts'
import type { RiskToken } from '../../../db/risk/chains.ts'
import { testDatabase } from '../../setup/database.ts'
import { query } from '../../setup/query.ts'
import { stopLater } from '../actors.ts'
import { createClock } from '../double.ts'
import { liveWorker } from '../live-worker.ts'
import { startGoPlus } from './goplus.ts'

const database = await testDatabase()

async function start() {
  await query(database.ownerUrl, 'truncate token_risks, quarantine')
  const clock = createClock(Date.UTC(2026, 10, 2, 9))
  const double = stopLater(await startGoPlus({ clock }))
  const risks = createRiskActivities(
    await liveWorker(database, { clock, settings: { GOPLUS_URL: double.url } }),
  )
  return { double, clock, risks }
}

const tokens = (count: number): RiskToken[] =>
  Array.from({ length: count }, (_, n) => ({
    blockchain: 'ethereum',
    address: `0x${(n + 1).toString(16).padStart(40, '0')}`,
  }))

test('45: a hundred tokens are checked at the pace of an address without a key', async () => {
  const { double, risks } = await start()
  double.state.partial.add(tokens(3)[2]!.address)
  expect(await risks.checkTokens({ tokens: tokens(100) })).toEqual({
    checked: 100,
    known: 100,
    quarantined: 0,
  })
  expect(double.refused).toEqual([])
})

test('45: while others spend the allowance of the address, what is checked stays and the rest is due', async () => {
  const { double, risks, clock } = await start()
  const path = '/api/v1/token_security/1?contract_addresses=0x1'
  const spend = (calls: number) => Promise.all(Array.from({ length: calls }, () => fetch(double.url + path)))
  await spend(40)
  await expect(risks.checkTokens({ tokens: tokens(5) })).rejects.toMatchObject({ name: 'SourceUnavailable' })
  clock.advance(3_600_000)
  await spend(28)
  expect(await risks.checkTokens({ tokens: tokens(5) })).toMatchObject({ checked: 2 })
  expect(await query(database.ownerUrl, 'select count(*)::int as n from token_risks')).toEqual([{ n: 2 }])
})

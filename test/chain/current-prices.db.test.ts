import { afterAll, expect, test } from 'vitest'
import { currentPrices } from '../../api/chain/current-prices.ts'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'

const database = await testDatabase()
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
const reads = openReadonlyDb({ url: database.apiUrl, maxConnections: 1, applicationName: 'test' })
afterAll(() => Promise.all([owner.close(), reads.close()]))

const AT = new Date('2026-03-01T00:00:00Z')
test('prices are read again once a second if one has changed, and are the same object otherwise', async () => {
  await insertCoin(owner.db, { id: 'bitcoin', at: AT, priceUsd: '50000' })
  const pricesAt = currentPrices(reads.db)
  const first = await pricesAt(0)
  expect([first.usd.get('bitcoin'), first.at.get('bitcoin')]).toEqual([50_000, AT])
  expect(await pricesAt(1_000)).toBe(first)
  await owner.db.updateTable('coin_quotes').set({ price_usd: '60000' }).execute()
  expect(await pricesAt(1_999)).toBe(first)
  const second = await pricesAt(2_000)
  expect(second.usd.get('bitcoin')).toBe(60_000)
  expect(second.revision).not.toBe(first.revision)
  expect(await pricesAt(3_000)).toBe(second)
})

import { expect, test } from 'vitest'
import { exchangesArea } from '../../activities/exchanges/area.ts'
import { askedBy } from '../setup/asked-by.ts'

test('accounts at an exchange that is off ask nothing; each other one reads its balances and lists', async () => {
  const asked = await askedBy(exchangesArea, { kraken: 'full', okx: 'full' })
  // One account: its balances, and the ends of two lists. The markets are those of all accounts.
  expect(asked).toEqual({ 'kraken accounts at Kraken': 3, 'kraken markets': 3 })
})

import { expect, test } from 'vitest'
import { kraken } from '../../web/account/import/formats/kraken.ts'

test.each([
  ['XXBT', 'BTC'],
  ['XBT', 'BTC'],
  ['XXDG', 'DOGE'],
  ['ZEUR', 'EUR'],
  ['XETH', 'ETH'],
  ['ETH2.S', 'ETH'],
  ['DOT28.S', 'DOT'],
  ['DOT.S', 'DOT'],
  ['USD.HOLD', 'USD'],
  ['C98', 'C98'],
  ['ZETA', 'ZETA'],
  ['ZORA', 'ZORA'],
  ['XION', 'XION'],
  ['USDT', 'USDT'],
])('Kraken writes %s for %s', (code, asset) => {
  const fields: Record<string, string> = {
    txid: 'L1',
    refid: 'D1',
    time: '2026-01-02 10:00:00',
    type: 'deposit',
    asset: code,
    amount: '1',
    fee: '0',
  }
  const entries = kraken.read([{ line: 2, text: '', get: (column) => fields[column] ?? '' }])
  expect(entries).toMatchObject([{ movement: { received: { asset } } }])
})

import { expect, test } from 'vitest'
import { transactionJson } from '../../db/chain/served-transaction.ts'
import {
  FORMAT_VERSION,
  storedText,
  storedTransactionSchema,
  type TransactionFacts,
} from '../../db/chain/stored-transaction.ts'
import { decimal } from '../../db/values/decimal.ts'

const asset = (coinId: string, icon: string | null) => ({
  coinId,
  name: coinId,
  symbol: coinId.toUpperCase(),
  icon,
})
const facts: TransactionFacts = {
  label: 'Buy',
  at: new Date('2026-01-02T10:00:00Z'),
  hash: '0x12',
  explorerUrl: 'https://scan.example',
  page: 'tx',
  legs: [
    {
      action: 'Sent',
      count: decimal('-2'),
      worthUsd: decimal('19'),
      asset: asset('uniswap', 'https://i.example/u.png'),
      nft: null,
      counterparty: '0xbb',
    },
    {
      action: 'Received',
      count: decimal('19.5'),
      worthUsd: null,
      asset: asset('usd-coin', null),
      nft: null,
      counterparty: '0xcc',
    },
    {
      action: 'Received',
      count: decimal('1'),
      worthUsd: null,
      asset: asset('cats', 'https://i.example/n.png'),
      nft: { token: '0x72', id: '4' },
      counterparty: null,
    },
  ],
  approval: null,
  fee: { count: decimal('0.001'), worthUsd: decimal('2'), asset: asset('ethereum', null) },
}

// Installations store exactly this text. If it changes, increment FORMAT_VERSION, or they keep the old text.
const TEXT =
  '{"type":"Buy","date":"2026-01-02T10:00:00.000Z",' +
  '"mainContent":{"coinIcons":["https://i.example/u.png"],"coinAssets":[]},' +
  '"transactions":[{"action":"Sent","items":[{"id":"0x12-0","count":-2,"totalWorth":19,' +
  '"coin":{"id":"uniswap","name":"uniswap","symbol":"UNISWAP","icon":"https://i.example/u.png"},"toAddress":"0xbb"}]},' +
  '{"action":"Received","items":[{"id":"0x12-1","count":19.5,"totalWorth":0,' +
  '"coin":{"id":"usd-coin","name":"usd-coin","symbol":"USD-COIN","icon":""},"fromAddress":"0xcc"},' +
  '{"id":"0x12-2","count":1,"totalWorth":0,"nft":{"id":"0x72-4","name":"cats #4","icon":"https://i.example/n.png"}}]}],' +
  '"fee":{"coin":{"id":"ethereum","name":"ethereum","symbol":"ETHEREUM","icon":""},"count":0.001,"totalWorth":2},' +
  '"hash":{"id":"0x12","explorerUrl":"https://scan.example/tx/0x12"}}'

test('the stored text changes only together with its version', () => {
  expect({ version: FORMAT_VERSION, text: storedText(facts) }).toEqual({ version: 4, text: TEXT })
})

test('an approval and a fee are fields of their own, and no transaction has an action of its own for them', () => {
  const approval = {
    count: decimal('5'),
    asset: asset('usd-coin', 'https://i.example/c.png'),
    counterparty: '0xdd',
  }
  const stored: unknown = JSON.parse(storedText({ ...facts, label: 'Sent', legs: [], approval }))
  expect(stored).toMatchObject({
    type: 'Sent',
    mainContent: { coinIcons: ['https://i.example/c.png'] },
    transactions: [],
    approval: { coin: { id: 'usd-coin' }, count: 5, toAddress: '0xdd' },
    fee: { coin: { id: 'ethereum' }, count: 0.001 },
  })
  expect(storedTransactionSchema.strict().parse(stored)).toEqual(stored)
})

test('the stored text has exactly the fields of the schema', () => {
  const stored: unknown = JSON.parse(storedText(facts))
  expect(storedTransactionSchema.strict().parse(stored)).toEqual(stored)
})

test('a response is the unchanged stored text followed by the price-dependent fields', () => {
  const main = { coinId: 'uniswap', symbol: 'UNISWAP', count: '-2', valueUsd: '19' }
  const row = { main, fragment: storedText(facts) }
  expect(transactionJson(row, new Map([['uniswap', 10]]))).toBe(
    `${TEXT.slice(0, -1)},"coinData":{"count":-2,"symbol":"UNISWAP","currentValue":20},` +
      '"profitLoss":{"profit":-1,"profitPercent":-5.263157894736842,"currentValue":20}}',
  )
  expect(transactionJson({ ...row, main: null }, new Map())).toBe(TEXT)
})

import { expect, test } from 'vitest'
import {
  decodeTronTransaction,
  tronInfo,
  tronTransaction,
} from '../../activities/chain/sources/tron-transaction.ts'
import { TOPICS } from '../../activities/chain/sources/decode-log.ts'
import { tronAddress } from '../../db/values/wallet-address.ts'

const [OWNER, ONE, OTHER, TOKEN] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
  string,
]

const decode = (type: string, info: object) =>
  decodeTronTransaction(
    tronTransaction.parse({
      txID: '1'.repeat(64),
      raw_data: { contract: [{ type, parameter: { value: { owner_address: OWNER } } }] },
    }),
    tronInfo.parse({ blockNumber: 7, blockTimeStamp: 9_000, ...info }),
    { wrapped: null },
  ).transfers

test('payments inside are those of TRX, without those of other assets, of nothing or that were rejected', () => {
  const pay = (callValueInfo: object[], rest: object = {}) => ({
    caller_address: ONE,
    transferTo_address: OTHER,
    callValueInfo,
    ...rest,
  })
  const transfers = decode('TriggerSmartContract', {
    internal_transactions: [
      pay([{ callValue: 5 }, { callValue: 6, tokenId: '1000001' }, {}, { callValue: 0 }]),
      pay([{ callValue: 7 }], { rejected: true }),
      pay([{ callValue: 8 }]),
    ],
  })
  const [from, to] = [tronAddress(ONE), tronAddress(OTHER)]
  expect(transfers).toMatchObject([
    { kind: 'internal', position: 0, from, to, raw: 5n },
    { kind: 'internal', position: 1, from, to, raw: 8n },
  ])
  expect(transfers).toHaveLength(2)
})

test('a withdrawal of rewards pays them out, and nothing where there are none', () => {
  expect(decode('WithdrawBalanceContract', { withdraw_amount: 5 })).toMatchObject([
    { kind: 'reward', from: '', to: tronAddress(OWNER), raw: 5n },
  ])
  expect(decode('WithdrawBalanceContract', {})).toEqual([])
})

test('a token is sent to as many as receive it, whom others approve are none of them', () => {
  const topic = (account: string) => account.padStart(64, '0')
  const log = (event: 'transfer' | 'approval', token: string, [from, to]: [string, string]) => ({
    address: token,
    topics: [TOPICS[event].slice(2), topic(from), topic(to)],
    data: '5'.padStart(64, '0'),
  })
  const transfers = decode('TriggerSmartContract', {
    log: [
      log('transfer', TOKEN, [OWNER, ONE]),
      log('transfer', TOKEN, [OWNER, OTHER]),
      log('transfer', TOKEN, [OWNER, OTHER]),
      log('approval', TOKEN, [OWNER, TOKEN]),
      log('transfer', ONE, [OWNER, OTHER]),
      log('approval', OTHER, [OWNER, ONE]),
    ],
  })
  const shown = transfers.map(({ kind, token, fanOut }) => [kind, token, fanOut])
  const [token, one, other] = [TOKEN, ONE, OTHER].map(tronAddress)
  expect(shown.filter(([kind]) => kind === 'erc20')).toEqual([
    ['erc20', token, 2],
    ['erc20', token, 2],
    ['erc20', token, 2],
    ['erc20', one, 1],
  ])
  expect(shown.at(-1)).toEqual(['approval', other, 1])
})

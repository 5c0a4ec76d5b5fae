import { describe, expect, test } from 'vitest'
import {
  jettonBurn,
  jettonTransfer,
  movesOf,
  tonTransaction,
  traceOf,
} from '../../activities/chain/sources/ton-transaction.ts'
import { tonAddress } from '../../db/values/wallet-address.ts'

/** From api/v3/adjacentTransactions of TON Center on a test net, with the fields that are read. */
const recorded = {
  account: '0:5B6A643CF4E32FF0391C476456FED5BDB17EF10A55CBB7C2980C76D4AAD07875',
  hash: 'Jv81SPUJbodVgsHB+lo0/jEJDaidYQYivJDg+rz+ITA=',
  lt: '24264044000001',
  now: 1722422624,
  mc_block_seqno: 21586062,
  trace_id: 'Jv81SPUJbodVgsHB+lo0/jEJDaidYQYivJDg+rz+ITA=',
  total_fees: '2123803',
  description: { type: 'ord', aborted: false },
  in_msg: {
    hash: 'RhrVTJxVy89oSoONtxcjAemKpyWyYva5L7XmXPPdn20=',
    source: null,
    destination: '0:5B6A643CF4E32FF0391C476456FED5BDB17EF10A55CBB7C2980C76D4AAD07875',
    value: null,
    fwd_fee: null,
    ihr_fee: null,
  },
  out_msgs: [
    {
      hash: 'UOCirTmzfXVxvp2+H6lyCTJZjXTMNNLGye+c/w2TskQ=',
      source: '0:5B6A643CF4E32FF0391C476456FED5BDB17EF10A55CBB7C2980C76D4AAD07875',
      destination: '0:835767AEB969C3845872D4633FBBAFDF20F92F7CED1FAE0F79804AC09F332A19',
      value: '30000000',
      fwd_fee: '266669',
      ihr_fee: '0',
    },
  ],
}
const BEFORE = 17_301_017_743n
const AFTER = 17_268_627_271n

test('what a recorded transaction moves and costs is what its account has less after it', () => {
  const { account, out_msgs: sent } = recorded
  const { trace, moves } = movesOf(tonTransaction.parse(recorded))
  expect(trace).toBe('26ff3548f5096e875582c1c1fa5a34fe31090da89d610622bc90e0fabcfe2130')
  const [own, other] = [tonAddress(account), tonAddress(sent[0]!.destination)]
  expect(moves.map(({ kind, from, to, raw }) => [kind, from, to, raw])).toEqual([
    ['native', own, other, 30_000_000n],
    ['fee', own, '', 2_390_472n],
  ])
  expect(moves.reduce((sum, { raw }) => sum + raw, 0n)).toBe(BEFORE - AFTER)
})

test('a recorded transfer of a jetton is one between owners', () => {
  // From api/v3/jetton/transfers of TON Center.
  const row = {
    query_id: '6083770390912224534',
    source: '0:21D6615A74625CA8BEB3C7A5777978A1239EE8148B1DF18C7B8A8A3215523DA0',
    destination: '0:D8CA6DD04573304609A70EE5104A8D29090E1FC631B29A8E0411172AAA52885A',
    amount: '1000000000000',
    source_wallet: '0:0B4523C3A3BA59606082414C58EBAF79AFE15AF2144887BB10F341DCD7FC5042',
    jetton_master: '0:D3061B39DA35C0F52ECFDF1B92BC2A21818A9B92541D2502D0F7C03736577B40',
    transaction_hash: 's6/eLba2wuwZOnoqTgtpMbOb7lT2gdotmpwmIbMSsq8=',
    transaction_lt: '93307129000003',
    transaction_now: 1785330624,
    transaction_aborted: false,
    trace_id: 'HtbPMwKll14sNQmZrudwwTmAP278pIdP5DDkEVHpZL4=',
  }
  const { trace, now, moves } = jettonTransfer.parse(row)
  expect([trace.slice(0, 8), now]).toEqual(['1ed6cf33', 1785330624])
  const { source, destination, jetton_master: master } = row
  expect(moves).toMatchObject([
    {
      kind: 'issued',
      token: tonAddress(master),
      from: tonAddress(source),
      to: tonAddress(destination),
      raw: 1_000_000_000_000n,
    },
  ])
  const burned = jettonBurn.parse({ ...row, owner: source, trace_id: null })
  expect(burned.trace.slice(0, 6)).toBe('b3afde')
  expect(burned.moves).toMatchObject([{ from: tonAddress(source), to: '' }])
  const refused = { ...row, owner: source, transaction_aborted: true }
  expect([jettonTransfer, jettonBurn].flatMap((schema) => schema.parse(refused).moves)).toEqual([])
})

describe('a transaction of one account', () => {
  const other = recorded.out_msgs[0]!.destination
  const sent = (rest: object) => ({ ...recorded.out_msgs[0]!, ...rest })
  const moved = (in_msg: object | null, ...out_msgs: object[]) =>
    movesOf(tonTransaction.parse({ ...recorded, in_msg, out_msgs, total_fees: '0' })).moves

  test('moves nothing by a message from or to the outside, or without a value', () => {
    const free = { fwd_fee: '0', ihr_fee: null }
    const inside = sent({ source: other, destination: recorded.account, value: '3', ...free })
    expect(moved({ ...inside, source: null }, sent({ destination: null, ...free }))).toEqual([])
    expect(moved({ ...inside, value: '0' }, sent({ value: null, ...free }))).toEqual([])
    expect(moved(inside, sent({ value: '4', ...free })).map(({ raw }) => raw)).toEqual([3n, 4n])
  })

  test('costs the forwarding of every message', () => {
    const fees = moved(
      null,
      sent({ value: '0', fwd_fee: '5', ihr_fee: '20' }),
      sent({ value: '0', fwd_fee: '100', ihr_fee: '3' }),
    )
    expect(fees.map(({ kind, raw }) => [kind, raw])).toEqual([['fee', 128n]])
  })

  test.each([
    [true, false],
    [false, true],
    [null, true],
  ])('that was aborted (%s) as the first of its trace succeeded: %s', (aborted, success) => {
    const root = tonTransaction.parse({ ...recorded, description: { aborted } })
    const { block, transaction } = traceOf(root)
    expect(transaction.success).toBe(success)
    expect([block.atMs, transaction.atMs]).toEqual([1_722_422_624_000, 1_722_422_624_000])
  })
})

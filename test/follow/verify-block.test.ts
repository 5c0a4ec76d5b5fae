import { describe, expect, test } from 'vitest'
import type { FollowedHeader, FollowedReceipt } from '../../activities/chain/follow/block-data.ts'
import type { RpcLog } from '../../activities/chain/sources/decode-log.ts'
import { bloomOf } from '../../activities/chain/follow/logs-bloom.ts'
import { verifyBlock, verifyLogs } from '../../activities/chain/follow/verify-block.ts'
import type { BlockRule } from '../../activities/chain/follow/verify-block.ts'
import { address } from '../setup/wallet-factories.ts'
import { answerCall } from '../upstreams/nodes/answer-call.ts'
import { bloomOf as independentBloom } from '../upstreams/nodes/bloom.ts'
import { createMemoryChain, tokenTransfer } from '../upstreams/nodes/chain.ts'

const [payer, wallet, token] = [address(1), address(2), address(3)] as const
const chain = createMemoryChain()
const move = tokenTransfer({ token, from: payer, to: wallet, raw: 5n })
const other = { address: address(4), topics: [`0x${'7'.repeat(64)}`], data: '0x' }
chain.mine(move, { from: payer, to: wallet, value: 1n }, { ...move, logs: [...move.logs!, other, other] })
chain.mine({ from: payer, to: wallet, value: 2n })
chain.mine()

const ask = <T>(method: string, ...params: unknown[]) =>
  structuredClone(answerCall({ chain, head: chain.head() }, { method, params })) as T
const headerOf = (number: number) => ask<FollowedHeader>('eth_getBlockByNumber', `0x${number}`, false)
const receiptsOf = (number: number) => ask<FollowedReceipt[]>('eth_getBlockReceipts', `0x${number}`)

const logsOf = (number: number) => ask<RpcLog[]>('eth_getLogs', { blockHash: headerOf(number).hash })
const logProof = { source: 'rpc:test', header: headerOf(1), unproven: new Set<BlockRule>() }

function verify(receipts: unknown, unproven: BlockRule[] = [], number = 1) {
  return verifyBlock({
    source: 'rpc:test',
    header: headerOf(number),
    receipts,
    unproven: new Set(unproven),
  })
}

/** The receipts of block 1 after a change. */
function changed(change: (receipts: FollowedReceipt[]) => unknown): FollowedReceipt[] {
  const receipts = receiptsOf(1)
  change(receipts)
  return receipts
}

describe('case 16 receipts that do not prove their block are refused', () => {
  test('a whole block passes, with transactions, with one, and with none', () => {
    for (const number of [1, 2, 3]) expect(() => verify(receiptsOf(number), [], number)).not.toThrow()
  })

  test.each<[offender: string, receipts: unknown]>([
    ['null', null],
    ['empty', []],
    ['short by the last receipt', changed((all) => all.pop())],
    ['short by the first receipt', changed((all) => all.shift())],
    ['of another branch', changed((all) => all.forEach((one) => (one.blockHash = `0x${'9'.repeat(64)}`)))],
    ['of another branch in part', changed((all) => (all[2]!.blockHash = `0x${'9'.repeat(64)}`))],
    ['in another order', changed((all) => all.reverse())],
    ['one of them twice', changed((all) => (all[1] = all[0]!))],
    ['without the first log', changed((all) => (all[0]!.logs = []))],
    ['without a log in the middle', changed((all) => all[2]!.logs.shift())],
    ['without the last logs', changed((all) => all[2]!.logs.splice(1))],
    ['without the logs of the last receipt', changed((all) => (all[2]!.logs = []))],
    [
      'without the logs of the last receipt and their filter',
      changed((all) => Object.assign(all[2]!, { logs: [], logsBloom: bloomOf([]) })),
    ],
    [
      'with other gas than the header',
      changed(
        (all) => (all[2]!.cumulativeGasUsed = `0x${(BigInt(all[2]!.cumulativeGasUsed) - 1n).toString(16)}`),
      ),
    ],
  ])('%s', (_offender, receipts) => {
    expect(() => verify(receipts)).toThrow(/^rpc:test: block 1 /)
  })

  test('only the root of the receipts would show that one of two equal last logs is missing', () => {
    expect(() => verify(changed((all) => all[2]!.logs.pop()))).not.toThrow()
  })

  test.each<[BlockRule, FollowedReceipt[]]>([
    ['bloom', changed((all) => all.forEach((one) => (one.logsBloom = bloomOf([]))))],
    ['gas', changed((all) => (all[2]!.cumulativeGasUsed = '0x1'))],
    ['logs', changed((all) => all[0]!.logs.forEach((log) => (log.logIndex = '0x5')))],
  ])('a chain that breaks the rule "%s" by design is followed without it', (rule, receipts) => {
    expect(() => verify(receipts)).toThrow()
    expect(() => verify(receipts, [rule])).not.toThrow()
  })

  test.each<[offender: string, change: (logs: RpcLog[]) => unknown]>([
    ['without the first log', (logs) => logs.shift()],
    ['without a log in the middle', (logs) => logs.splice(1, 1)],
    ['without the last logs', (logs) => logs.splice(2)],
    ['empty', (logs) => logs.splice(0)],
    ['with a log of another branch', (logs) => (logs[0]!.blockHash = `0x${'9'.repeat(64)}`)],
    ['with a log of another transaction', (logs) => (logs[0]!.transactionHash = `0x${'9'.repeat(64)}`)],
  ])('logs of a block that are %s are refused', (_offender, change) => {
    const logs = logsOf(1)
    expect(verifyLogs({ ...logProof, logs })).toHaveLength(4)
    change(logs)
    expect(() => verifyLogs({ ...logProof, logs })).toThrow(/^rpc:test: block 1 /)
  })

  test('the bloom filter is that of an independent computation', () => {
    for (const { logs } of receiptsOf(1)) expect(bloomOf(logs)).toBe(independentBloom(logs))
  })
})

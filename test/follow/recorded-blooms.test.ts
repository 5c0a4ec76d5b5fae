import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bloomOf, joinBlooms } from '../../activities/chain/follow/logs-bloom.ts'
import { realdata } from '../setup/realdata.ts'
import { readRows } from '../setup/replay-rpc.ts'

const FOLDER = join(realdata ?? '', 'ethereum-etl/tests/resources/test_stream/blocks_17173049_17173050')

test.skipIf(!realdata)('the logs of recorded mainnet blocks give the bloom filters of their headers', () => {
  const logs = readRows(FOLDER, 'expected_logs.json') as {
    block_hash: string
    transaction_hash: string
    address: string
    topics: string[]
  }[]
  const blocks = readRows(FOLDER, 'expected_blocks.json')
  expect(blocks).toHaveLength(2)
  for (const { hash, logs_bloom } of blocks) {
    const own = logs.filter(({ block_hash }) => block_hash === hash)
    const receipts = Map.groupBy(own, ({ transaction_hash }) => transaction_hash)
    expect(joinBlooms([...receipts.values()].map(bloomOf))).toBe(logs_bloom)
  }
})

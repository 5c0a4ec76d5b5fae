import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createRpcClient } from '../../activities/nodes/rpc-client.ts'
import { readTokenMetadata } from '../../activities/nodes/rpc-contracts.ts'
import { serveJsonRpc } from '../setup/replay-rpc.ts'
import { realdata } from '../setup/realdata.ts'

const FOLDER = join(realdata ?? '', 'ethereum-etl/tests/resources/test_export_tokens_job')

/** Serves the recorded eth_call answers of one case. */
async function metadataOf(name: string, address: string) {
  const folder = join(FOLDER, name)
  const files = readdirSync(folder)
  const server = await serveJsonRpc({
    eth_call: ([{ data }]) => {
      const file = files.find((one) => one.includes(`eth_call_data_${data}_to_`))
      if (!file) throw new Error('execution reverted')
      return JSON.parse(readFileSync(join(folder, file), 'utf8')).result
    },
  })
  const client = createRpcClient({ url: server.url, source: 'test' })
  try {
    return (await readTokenMetadata(client, [address]))[0]
  } finally {
    await server.stop()
  }
}

describe.skipIf(!realdata)('recorded answers of broken token contracts', () => {
  test('reads a bytes32 symbol and an empty name', async () => {
    const address = '0x86fa049857e0209aa7d9e616f7eb3b3b78ecfdb0'
    expect(await metadataOf('token_with_alternative_return_type', address)).toEqual({
      address,
      symbol: 'EOS',
      name: null,
      decimals: 18,
    })
  })

  test('reads a truncated string padded with NUL', async () => {
    const address = '0xf763be8b3263c268e9789abfb3934564a7b80054'
    expect(await metadataOf('token_with_invalid_data', address)).toEqual({
      address,
      symbol: 'ETH',
      name: 'ETH',
      decimals: 18,
    })
  })
})

describe('token contracts without valid metadata', () => {
  const metadata = async (answers: Record<string, string | null>) => {
    const server = await serveJsonRpc({
      eth_call: ([{ data }]) => {
        const answer = answers[data]
        if (answer === null || answer === undefined) throw { code: 3, message: 'execution reverted' }
        return answer
      },
    })
    const client = createRpcClient({ url: server.url, source: 'test' })
    try {
      return (await readTokenMetadata(client, ['0x01']))[0]
    } finally {
      await server.stop()
    }
  }

  test('calls that revert give null and no guess', async () => {
    expect(await metadata({})).toEqual({ address: '0x01', symbol: null, name: null, decimals: null })
  })

  test('decimals above 255, empty answers and out-of-range strings give null', async () => {
    const word = (value: bigint) => value.toString(16).padStart(64, '0')
    const answers = {
      '0x313ce567': `0x${word(300n)}`,
      '0x95d89b41': '0x',
      '0x06fdde03': `0x${word(32n)}${word(2n ** 255n)}`,
    }
    expect(await metadata(answers)).toEqual({ address: '0x01', symbol: null, name: null, decimals: null })
  })

  test('removes control characters, which Postgres does not store', async () => {
    const text = Buffer.from('A\u0000B\u0007C').toString('hex').padEnd(64, '0')
    expect(await metadata({ '0x95d89b41': `0x${text}` })).toMatchObject({ symbol: 'ABC' })
  })
})

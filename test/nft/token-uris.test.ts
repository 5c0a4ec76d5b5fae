import { encodeAbiParameters } from 'viem'
import { expect, test } from 'vitest'
import { SourceRejected, SourceUnavailable } from '../../activities/errors.ts'
import { readTokenUris } from '../../activities/nft/token-uris.ts'
import type { RpcAnswer } from '../../activities/nodes/rpc.ts'

const text = (value: string): RpcAnswer => ({ result: encodeAbiParameters([{ type: 'string' }], [value]) })
const token = (tokenId: string, standard: 'erc721' | 'erc1155' = 'erc721') => ({
  networkId: 'ethereum',
  address: `0x${'c'.repeat(40)}`,
  tokenId,
  standard,
})
const ask = (answers: RpcAnswer[], tokens = answers.map((_, i) => token(String(i)))) =>
  readTokenUris({ send: () => Promise.resolve(answers) }, tokens)

test('a contract that reverts or returns no text has no URI, and the others keep theirs', async () => {
  const reverted = { error: new SourceRejected('rpc:ethereum', 'execution reverted') }
  expect(await ask([reverted, text('ipfs://a/1'), { result: '0x' }, { result: null }, text(' ')])).toEqual([
    null,
    'ipfs://a/1',
    null,
    null,
    null,
  ])
})

test('a node that is unavailable says nothing about the tokens', async () => {
  const unavailable = new SourceUnavailable('rpc:ethereum', 'HTTP 503')
  await expect(ask([text('ipfs://a/1'), { error: unavailable }])).rejects.toBe(unavailable)
})

test('the placeholder of ERC-1155 becomes the id in 64 hexadecimal digits', async () => {
  const [uri] = await ask([text('https://x.example/{id}.json')], [token('314592', 'erc1155')])
  expect(uri).toBe(`https://x.example/${'0'.repeat(59)}4cce0.json`)
})

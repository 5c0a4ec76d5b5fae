import { expect, test } from 'vitest'
import type { HttpClient } from '../../activities/http-client.ts'
import { createSolanaClient } from '../../activities/nodes/solana-client.ts'

test('token accounts are read no earlier than at a slot where one is named', async () => {
  const asked: unknown[] = []
  const http = {
    fetchJson({ body }: { body: { params: [string, object, object] } }) {
      asked.push(body.params[2])
      return Promise.resolve({ result: { context: { slot: 7 }, value: [] } })
    },
  } as unknown as HttpClient
  const client = createSolanaClient({ http, url: 'http://node' })
  const options = { encoding: 'jsonParsed', commitment: 'finalized' }
  // One question for each of the two token programs.
  expect(await client.readTokenAccounts('owner')).toEqual({ accounts: [], slots: [7, 7] })
  expect(asked.splice(0)).toStrictEqual([options, options])
  await client.readTokenAccounts('owner', { minContextSlot: 5 })
  const fromSlot = { ...options, minContextSlot: 5 }
  expect(asked).toStrictEqual([fromSlot, fromSlot])
})

import { request } from 'undici'

export type Rpc = ReturnType<typeof createRpc>

type Answer = { id: number; result?: unknown; error?: { code: number; message: string } }
export type Call = [method: string, ...params: unknown[]]

/**
 * JSON-RPC client for one call or a batch. anvil runs the calls of a batch in any order. Throws if any call
 * fails.
 */
export function createRpc(url: string) {
  async function batch(calls: Call[]): Promise<unknown[]> {
    if (calls.length === 0) return []
    const requests = calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))
    const body = JSON.stringify(requests)
    const headers = { 'content-type': 'application/json' }
    const response = await request(url, { method: 'POST', headers, body })
    if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`)
    const answers = (await response.body.json()) as Answer[]
    const byId = new Map(answers.map((a) => [a.id, a]))
    return calls.map(([method, ...params], id) => {
      const answer = byId.get(id)
      if (answer && !answer.error) return answer.result
      throw new Error(
        `${method} ${JSON.stringify(params).slice(0, 300)}: ${answer?.error?.message ?? 'no answer'}`,
      )
    })
  }

  return { url, batch, call: async (...call: Call): Promise<unknown> => (await batch([call]))[0] }
}

export const toHex = (value: bigint | number): `0x${string}` => `0x${value.toString(16)}`

import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startAnvil } from '../setup/anvil.ts'
import type { Anvil } from '../setup/anvil.ts'

const ARGS = ['--no-mining', '--order', 'fifo', '--auto-impersonate']

/**
 * One URL whose node can be switched, which looks like a reorg to a client. `without`: methods that the
 * provider does not offer.
 */
export async function switchedNode(first: Anvil, without?: RegExp) {
  let target = first.url
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const headers = { 'content-type': 'application/json' }
    const calls = [JSON.parse(Buffer.concat(parts).toString())].flat() as { id: number; method: string }[]
    response.setHeader('content-type', 'application/json')
    if (without && calls.some(({ method }) => without.test(method))) {
      const error = { code: -32601, message: 'the method is not available' }
      response.end(JSON.stringify(calls.map(({ id }) => ({ jsonrpc: '2.0', id, error }))))
      return
    }
    const answer = await fetch(target, { method: 'POST', headers, body: Buffer.concat(parts) })
    response.end(Buffer.from(await answer.arrayBuffer()))
  }
  const server = createServer((request, response) => void forward(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    switchTo: (node: Anvil) => (target = node.url),
    stop: () => new Promise<void>((resolve) => (server.close(() => resolve()), server.closeAllConnections())),
  }
}

export async function startChain(): Promise<Anvil> {
  return await startAnvil([...ARGS, '--timestamp', String(Math.floor(Date.now() / 1_000) - 40 * 86_400)])
}

/** A real node whose chain branches off another node's chain after a block. */
export async function branchOff(node: Anvil, block: number): Promise<Anvil> {
  return await startAnvil([...ARGS, '--fork-url', node.url, '--fork-block-number', String(block)])
}

export async function headOf(node: Anvil): Promise<number> {
  return Number(await node.call('eth_blockNumber'))
}

/** Mines blocks in which the wallet receives and sends amounts that depend on `salt`. */
export async function mineTransfers(
  node: Anvil,
  options: { wallet: string; blocks: number; salt: number },
): Promise<void> {
  const { wallet, blocks, salt } = options
  const [payer] = await node.call('eth_accounts')
  const receiver = '0x00000000000000000000000000000000000000e1'
  for (let i = 0; i < blocks; i++) {
    const { timestamp } = await node.call('eth_getBlockByNumber', 'latest', false)
    const value = 10n ** 18n + BigInt(salt * 1_000 + i)
    await node.call('eth_sendTransaction', { from: payer, to: wallet, value: hex(value) })
    // The wallet sends only in every third block.
    if (i % 3 === 1)
      await node.call('eth_sendTransaction', {
        from: wallet,
        to: receiver,
        value: hex(value / 4n),
        gas: hex(21_000n),
      })
    await node.call('evm_mine', { timestamp: Number(timestamp) + 12 })
    if (i % 2 === 1) await node.call('evm_mine', { timestamp: Number(timestamp) + 24 })
  }
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`
}

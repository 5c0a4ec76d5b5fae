import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { NetworkId } from '../../sandbox/chain/tokens.ts'
import { call, codeOf, type ContractName } from '../../sandbox/chain/calls.ts'
import { ZEROS, defiContracts, unusedContracts } from '../../sandbox/defi/contracts.ts'
import { startAnvil } from '../setup/anvil.ts'
import type { Anvil } from '../setup/anvil.ts'

export interface DefiChain {
  node: Anvil
  /**
   * Sends a call to a sandbox contract and mines it `seconds` after the last block. Returns the block's time
   * in s.
   */
  send: (
    to: string,
    contract: ContractName,
    name: string,
    args: unknown[],
    seconds?: number,
  ) => Promise<number>
  /** Mines a block `seconds` after the last one and returns its time in s. */
  wait: (seconds: number) => Promise<number>
}

const START_S = 1_780_000_000

/** Starts a node with the protocol contracts of a network, without bookings. */
export async function startDefiChain(network: NetworkId): Promise<DefiChain> {
  const node = await startAnvil([
    '--chain-id',
    '1',
    '--no-mining',
    '--order',
    'fifo',
    '--timestamp',
    String(START_S),
    '--auto-impersonate',
    '--gas-limit',
    '60000000',
  ])
  for (const [address, name] of defiContracts(network))
    await node.call('anvil_setCode', address, codeOf(name))
  for (const address of unusedContracts(network)) await node.call('anvil_setCode', address, ZEROS)
  const [sender] = await node.call('eth_accounts')

  async function wait(seconds: number): Promise<number> {
    const { timestamp } = await node.call('eth_getBlockByNumber', 'latest', false)
    const atS = Number(timestamp) + seconds
    await node.call('evm_mine', { timestamp: atS })
    return atS
  }

  return {
    node,
    wait,
    async send(to, contract, name, args, seconds = 12) {
      const data = call(contract, name, args)
      const hash = await node.call('eth_sendTransaction', { from: sender, to, data, gas: '0x7a120' })
      const atS = await wait(seconds)
      const { status } = await node.call('eth_getTransactionReceipt', hash)
      if (status !== '0x1') throw new Error(`${contract}.${name} reverted`)
      return atS
    },
  }
}

/**
 * A proxy for a node. `before` gets the text of each request first; it can change the chain, or throw to
 * break the connection.
 */
export async function watchedNode(node: Anvil, before: (body: string) => Promise<void>) {
  const server = createServer((request, response) => {
    const handOn = async () => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      const body = Buffer.concat(parts).toString()
      await before(body)
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(node.url, { method: 'POST', headers, body })
      response.setHeader('content-type', 'application/json')
      response.end(Buffer.from(await answer.arrayBuffer()))
    }
    handOn().catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise<void>((resolve) => (server.close(() => resolve()), server.closeAllConnections())),
  }
}

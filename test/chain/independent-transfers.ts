import { jsonRpc } from '../setup/anvil.ts'

export interface TransferSum {
  kind: string
  token: string
  wallet: string
  count: number
  net: string
}

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const DEPOSIT = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c'
const SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
const BATCH = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'
const WITHDRAWAL = '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65'

/**
 * Counts and net amounts per kind, token and wallet, read block by block over plain JSON-RPC. Shares no code
 * with the adapters under test.
 */
export async function chainTransfers(url: string, wallets: readonly string[]): Promise<TransferSum[]> {
  const sums = new Map<string, TransferSum>()
  const add = (kind: string, token: string, from: string, to: string, value: bigint) => {
    for (const wallet of wallets.filter((one) => one === from || one === to)) {
      const key = `${kind} ${token} ${wallet}`
      const sum = sums.get(key) ?? { kind, token, wallet, count: 0, net: '0' }
      const net = BigInt(sum.net) + (to === wallet ? value : 0n) - (from === wallet ? value : 0n)
      sums.set(key, { ...sum, count: sum.count + 1, net: net.toString() })
    }
  }
  const account = (topic: string) => `0x${topic.slice(-40)}`
  const head = Number(await jsonRpc(url, 'eth_blockNumber', []))
  for (let number = 0; number <= head; number++) {
    const tag = `0x${number.toString(16)}`
    const block = await jsonRpc(url, 'eth_getBlockByNumber', [tag, true])
    if (block.transactions.length === 0) continue
    const receipts = await jsonRpc(url, 'eth_getBlockReceipts', [tag])
    const succeeded = new Set(
      receipts.filter((one: any) => one.status === '0x1').map((one: any) => one.transactionHash),
    )
    for (const one of block.transactions)
      if (succeeded.has(one.hash) && BigInt(one.value) > 0n)
        add('native', '', one.from, one.to, BigInt(one.value))
    for (const log of receipts.flatMap((one: any) => one.logs)) {
      const [topic, one, two, three] = log.topics
      if (topic === TRANSFER && three !== undefined)
        add('erc721', log.address, account(one), account(two), 1n)
      else if (topic === TRANSFER) add('erc20', log.address, account(one), account(two), BigInt(log.data))
      for (const value of copiesOf(topic, log.data))
        add('erc1155', log.address, account(two), account(three), value)
      const zero = `0x${'0'.repeat(40)}`
      if (topic === DEPOSIT) add('wrap', log.address, zero, account(one), BigInt(log.data))
      if (topic === WITHDRAWAL) add('wrap', log.address, account(one), zero, BigInt(log.data))
    }
    for (const trace of await jsonRpc(url, 'trace_block', [tag])) {
      const { type, action, traceAddress, transactionHash } = trace
      if (type !== 'call' || traceAddress.length === 0 || !succeeded.has(transactionHash)) continue
      if (action.callType === 'call' && BigInt(action.value) > 0n)
        add('internal', '', action.from, action.to, BigInt(action.value))
    }
  }
  return [...sums.values()]
}

/** The amounts that an ERC-1155 event moves. */
function copiesOf(topic: string, data: string): bigint[] {
  const words =
    data
      .slice(2)
      .match(/.{64}/g)
      ?.map((word) => BigInt(`0x${word}`)) ?? []
  if (topic === SINGLE) return [words[1]!]
  if (topic !== BATCH) return []
  const start = Number(words[1]!) / 32
  return words.slice(start + 1, start + 1 + Number(words[start]!))
}

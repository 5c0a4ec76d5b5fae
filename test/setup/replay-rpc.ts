import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

type Row = Record<string, any>

/** Reads JSON lines. Integers that do not fit a double become bigint. */
export function readRows(folder: string, file: string): Row[] {
  const exact = (_: string, value: unknown, context: { source: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) ? BigInt(context.source) : value
  return readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line, exact as (key: string, value: unknown) => unknown) as Row)
}

type Handler = (params: any[]) => unknown

/** A JSON-RPC server that answers from recorded blocks, transactions and logs (the rows of ethereum-etl). */
export async function replayBlocks(folder: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const transactions = readRows(folder, 'expected_transactions.json')
  const logs = readRows(folder, 'expected_logs.json').map(rpcLog)
  const blocks = readRows(folder, 'expected_blocks.json').map((block) => ({
    number: hex(block['number']),
    hash: block['hash'],
    parentHash: block['parent_hash'],
    timestamp: hex(block['timestamp']),
    logsBloom: block['logs_bloom'],
    transactions: transactions.filter((row) => row['block_hash'] === block['hash']).map(rpcTransaction),
  }))
  const receipt = (row: Row) => rpcReceipt(row, logs)
  const byNumber = (number: string) => blocks.find((block) => block.number === number)
  return await serveJsonRpc({
    eth_getBlockByNumber: ([tag, full]) => {
      const block = tag === 'latest' ? blocks.at(-1) : byNumber(tag)
      return (
        block && {
          ...block,
          transactions: full ? block.transactions : block.transactions.map((one) => one.hash),
        }
      )
    },
    eth_getBlockReceipts: ([number]) =>
      transactions.filter((row) => hex(row['block_number']) === number).map(receipt),
    eth_getTransactionByHash: ([hash]) =>
      blocks.flatMap((one) => one.transactions).find((one) => one.hash === hash),
    eth_getTransactionReceipt: ([hash]) => {
      const row = transactions.find((one) => one['hash'] === hash)
      return row && receipt(row)
    },
    eth_getLogs: ([filter]) =>
      logs.filter(
        (log) =>
          Number(log.blockNumber) >= Number(filter.fromBlock) &&
          Number(log.blockNumber) <= Number(filter.toBlock) &&
          matchesTopics(log.topics, filter.topics ?? []),
      ),
  })
}

/**
 * Serves batches and single calls, and notes what its handlers are asked. A method without a handler gets the error
 * that a node returns.
 */
export async function serveJsonRpc(
  handlers: Record<string, Handler>,
): Promise<{ url: string; asked: [method: string, first: unknown][]; stop: () => Promise<void> }> {
  const asked: [method: string, first: unknown][] = []
  const answer = ({ id, method, params }: { id: number; method: string; params: any[] }) => {
    const handler = handlers[method]
    if (!handler)
      return { jsonrpc: '2.0', id, error: { code: -32601, message: `the method ${method} does not exist` } }
    asked.push([method, params[0]])
    try {
      return { jsonrpc: '2.0', id, result: handler(params) ?? null }
    } catch (error) {
      const { code = -32000, message } = error as { code?: number; message: string }
      return { jsonrpc: '2.0', id, error: { code, message } }
    }
  }
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = JSON.parse(Buffer.concat(parts).toString())
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(body)))
  }
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () =>
    new Promise<void>((resolve) => (server.close(() => resolve()), server.closeAllConnections()))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, stop }
}

function rpcTransaction(row: Row) {
  return {
    hash: row['hash'],
    from: row['from_address'],
    to: row['to_address'],
    value: hex(row['value']),
    input: row['input'],
  }
}

function rpcReceipt(row: Row, logs: ReturnType<typeof rpcLog>[]) {
  return {
    transactionHash: row['hash'],
    transactionIndex: hex(row['transaction_index']),
    blockHash: row['block_hash'],
    blockNumber: hex(row['block_number']),
    contractAddress: row['receipt_contract_address'],
    gasUsed: hex(row['receipt_gas_used']),
    effectiveGasPrice: hex(row['receipt_effective_gas_price']),
    status: hex(row['receipt_status']),
    logs: logs.filter((log) => log.transactionHash === row['hash']),
  }
}

function rpcLog(row: Row) {
  return {
    address: row['address'] as string,
    topics: row['topics'] as string[],
    data: row['data'] as string,
    blockNumber: hex(row['block_number']),
    blockHash: row['block_hash'],
    logIndex: hex(row['log_index']),
    transactionHash: row['transaction_hash'] as string,
  }
}

function matchesTopics(topics: string[], wanted: (string | string[] | null)[]): boolean {
  return wanted.every((one, i) => one === null || [one].flat().includes(topics[i]!))
}

function hex(value: number | bigint): string {
  return `0x${value.toString(16)}`
}

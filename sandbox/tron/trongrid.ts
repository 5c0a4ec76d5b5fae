import { ok, type Upstream, type UpstreamReply, type UpstreamRequest } from '../upstream.ts'
import { tronTokens } from './actors.ts'
import { type BlockedTx, longHex, type TronChain } from './chain.ts'
import { logOf } from './ledger.ts'

const mostRows = 200

const failed = (status: number, error: string): UpstreamReply => ({
  status,
  body: { success: false, error, statusCode: status },
})

/** TronGrid: its lists of accounts (v1), and the API of a node for final blocks. */
export function createTrongrid(chain: () => TronChain): Upstream {
  return (request) => {
    const [api, ...rest] = request.path
    if (api === 'v1' && request.method === 'GET') return list(chain(), rest, request)
    if (api === 'walletsolidity' && request.method === 'POST') return ask(chain(), rest[0] ?? '', request)
    return failed(404, 'Not found')
  }
}

function list(chain: TronChain, path: string[], { query, now }: UpstreamRequest): UpstreamReply {
  const [accounts, address = '', kind, tokens] = path
  if (accounts !== 'accounts' || !/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(address))
    return failed(400, 'A valid account address is required.')
  if (kind === undefined) return ok(account(chain, address, now))
  if (kind !== 'transactions') return failed(404, 'Not found')
  const isDescending = query.get('order_by') !== 'block_timestamp,asc'
  const [fromMs, toMs] = [Number(query.get('min_timestamp') ?? 0), Number(query.get('max_timestamp') ?? 1e15)]
  const named = chain.of(address, now).filter(({ block }) => {
    const atMs = chain.timeOf(block)
    return atMs >= fromMs && atMs <= toMs
  })
  const rowsOf = tokens === 'trc20' ? tokenRows : transactionRows
  const all: object[] = named.flatMap((tx): object[] => rowsOf(tx, { address, atMs: chain.timeOf(tx.block) }))
  if (isDescending) all.reverse()
  const limit = Math.min(Number(query.get('limit') ?? 20), mostRows)
  const fingerprint = query.get('fingerprint')
  const from = fingerprint === null ? 0 : Number(Buffer.from(fingerprint, 'base64url').toString())
  const data = all.slice(from, from + limit)
  const hasMore = all.length > from + limit
  const next = hasMore && { fingerprint: Buffer.from(String(from + limit)).toString('base64url') }
  return ok({ data, success: true, meta: { at: now * 1_000, page_size: data.length, ...next } })
}

function account(chain: TronChain, address: string, now: number) {
  const held = chain.held(address, now)
  const data = {
    address: longHex(address),
    balance: Number(held.trx),
    frozenV2: [{}, { type: 'ENERGY', ...(held.frozen > 0n && { amount: Number(held.frozen) }) }],
    trc20: [...held.tokens].flatMap(([token, raw]) => (raw > 0n ? [{ [token]: String(raw) }] : [])),
    create_time: 1_600_000_000_000,
    latest_opration_time: now * 1_000,
  }
  const isUsed = chain.of(address, now).length > 0
  return { data: isUsed ? [data] : [], success: true, meta: { at: now * 1_000, page_size: Number(isUsed) } }
}

const isPaid = ({ type }: BlockedTx): boolean => type === 'TransferContract'

/** A transaction as a node stores it. */
function rawOf(tx: BlockedTx) {
  const to = tx.to === null ? null : longHex(tx.to)
  const value = {
    owner_address: longHex(tx.owner),
    ...(to && (isPaid(tx) ? { to_address: to, amount: Number(tx.value) } : { contract_address: to })),
    ...(!isPaid(tx) && tx.value > 0n && { call_value: Number(tx.value) }),
    ...(tx.data !== '' && { data: tx.data }),
    ...(tx.frozen > 0n && { frozen_balance: Number(tx.frozen), resource: 'ENERGY' }),
  }
  return {
    ret: [{ contractRet: tx.failed ? 'OUT_OF_ENERGY' : 'SUCCESS' }],
    signature: ['00'.repeat(65)],
    txID: tx.hash,
    raw_data: {
      contract: [
        { parameter: { value, type_url: `type.googleapis.com/protocol.${tx.type}` }, type: tx.type },
      ],
      ref_block_bytes: 'd62e',
      ref_block_hash: 'bbf7d06ee7004d5a',
      expiration: tx.at * 1_000 + 60_000,
      timestamp: tx.at * 1_000,
    },
    raw_data_hex: '0a02',
  }
}

/** The transaction where it is one of the account's own or names it, and a row for each payment inside. */
function transactionRows(tx: BlockedTx, { address, atMs }: { address: string; atMs: number }) {
  const raw = rawOf(tx)
  const own = {
    ...raw,
    ret: [{ ...raw.ret[0], fee: Number(tx.fee) }],
    net_usage: 0,
    net_fee: 345_000,
    energy_usage: 0,
    energy_fee: Math.max(0, Number(tx.fee) - 345_000),
    energy_usage_total: Math.floor(Number(tx.fee) / 420),
    blockNumber: tx.block,
    block_timestamp: atMs,
    internal_transactions: [],
  }
  const inside = tx.failed
    ? []
    : tx.internals.flatMap(({ from, to, value }, i) =>
        from === address || to === address
          ? [
              {
                internal_tx_id: `${tx.hash.slice(0, 60)}${String(i).padStart(4, '0')}`,
                data: { note: '63616c6c', rejected: false, call_value: { _: Number(value) } },
                block_timestamp: atMs,
                to_address: longHex(to),
                tx_id: tx.hash,
                from_address: longHex(from),
              },
            ]
          : [],
      )
  return [...(tx.owner === address || tx.to === address ? [own] : []), ...inside]
}

function tokenRows(tx: BlockedTx, { address, atMs }: { address: string; atMs: number }) {
  if (tx.failed) return []
  return tx.events.flatMap(({ name, token, from, to, value }) => {
    const isListed = name === 'transfer' || name === 'approval'
    if (!isListed || (from !== address && to !== address)) return []
    const { symbol, address: contract, decimals, name: title } = token
    return [
      {
        transaction_id: tx.hash,
        token_info: { symbol, address: contract, decimals, name: title },
        block_timestamp: atMs,
        from,
        to,
        type: name === 'transfer' ? 'Transfer' : 'Approval',
        value: String(value),
      },
    ]
  })
}

function ask(chain: TronChain, method: string, { bodyText, now }: UpstreamRequest): UpstreamReply {
  const body = JSON.parse(bodyText) as Record<string, string>
  if (method === 'getblock') {
    const number = body['id_or_num'] === undefined ? chain.finalBlock(now) : Number(body['id_or_num'])
    if (number > chain.finalBlock(now)) return ok({})
    return ok({
      blockID: number.toString(16).padStart(64, '0'),
      block_header: {
        raw_data: { number, timestamp: chain.timeOf(number), parentHash: '00'.repeat(32), version: 30 },
        witness_signature: '00'.repeat(65),
      },
    })
  }
  const tx = chain.find(body['value'] ?? '', now)
  if (method === 'gettransactionbyid') return ok(tx ? rawOf(tx) : {})
  if (method === 'gettransactioninfobyid') return ok(tx ? infoOf(tx, chain.timeOf(tx.block)) : {})
  if (method === 'triggerconstantcontract') return ok(constant(chain, body, now))
  return failed(405, 'class java.lang.UnsupportedOperationException')
}

function infoOf(tx: BlockedTx, blockTimeStamp: number) {
  return {
    id: tx.hash,
    ...(tx.fee > 0n && { fee: Number(tx.fee) }),
    blockNumber: tx.block,
    blockTimeStamp,
    contractResult: [''],
    receipt: { net_fee: 345_000, ...(tx.failed && { result: 'OUT_OF_ENERGY' }) },
    ...(tx.failed && { result: 'FAILED' }),
    ...(tx.events.length > 0 && { log: tx.events.map(logOf) }),
    ...(tx.reward > 0n && { withdraw_amount: Number(tx.reward) }),
    ...(tx.internals.length > 0 && {
      internal_transactions: tx.internals.map(({ from, to, value }, i) => ({
        hash: String(i).padStart(64, '0'),
        caller_address: longHex(from),
        transferTo_address: longHex(to),
        callValueInfo: [{ callValue: Number(value) }],
        note: '63616c6c',
      })),
    }),
  }
}

function constant(chain: TronChain, body: Record<string, string>, now: number) {
  const token = tronTokens.find(({ address }) => address === body['contract_address'])
  const result = (digits: string) => ({ result: { result: true }, constant_result: [digits] })
  if (!token) return { result: { code: 'CONTRACT_VALIDATE_ERROR', message: '' } }
  const number = (value: bigint) => value.toString(16).padStart(64, '0')
  const text = (value: string) =>
    number(32n) +
    number(BigInt(value.length)) +
    Buffer.from(value)
      .toString('hex')
      .padEnd(64 * Math.ceil(value.length / 32), '0')
  switch (body['function_selector']) {
    case 'symbol()':
      return result(text(token.symbol))
    case 'name()':
      return result(text(token.name))
    case 'decimals()':
      return result(number(BigInt(token.decimals)))
    default: {
      const owner = chain.ownerOf(body['parameter'] ?? '')
      return result(number(owner ? (chain.held(owner, now).tokens.get(token.address) ?? 0n) : 0n))
    }
  }
}

import { isoMs, isoSeconds, numberOf, ok, type Upstream, type UpstreamReply } from '../upstream.ts'
import type { Coins } from './holdings.ts'
import type { CosmosChain } from './ledger.ts'
import type { CosmosTx } from './scene.ts'

const failed = (status: number, code: number, message: string): UpstreamReply => ({
  status,
  body: { code, message, details: [] },
})
const notFound = (message: string) => failed(404, 5, message)
const coinsOf = (coins: Coins) =>
  Object.entries(coins)
    .filter(([, raw]) => raw > 0n)
    .map(([denom, raw]) => ({ denom, amount: String(raw) }))
    .sort((a, b) => (a.denom < b.denom ? -1 : 1))

/** `version`: of IBC; 10 answers about denominations at another path. */
export function createCosmosRest(chainNow: () => CosmosChain, { version = 10 } = {}): Upstream {
  return ({ path, query, headers, now }) => {
    const chain = chainNow()
    const newest = chain.newest(now)
    const asked = headers['x-cosmos-block-height']
    const at = asked === undefined ? newest : Number(asked)
    if (at > newest)
      return failed(400, 3, 'cannot query with height in the future; please provide a valid height')
    const [area = '', module = '', , ...rest] = path
    if (area === 'ibc') return denomOf(chain, { rest: path.slice(4), version })
    if (area !== 'cosmos') return failed(501, 12, 'Not Implemented')
    if (module === 'tx') return search(chain, { query, newest })
    if (module === 'base') return blockOf(chain, { which: rest.at(-1)!, newest })
    if (module === 'bank' && rest[0] === 'balances') {
      const bank = chain.held(rest[1]!, at)?.bank ?? {}
      return page({ balances: coinsOf(bank) }, query)
    }
    if (module === 'bank' && rest[0] === 'denoms_metadata_by_query_string')
      return metadataOf(chain, query.get('denom') ?? '')
    if (module === 'staking') return stakingOf(chain, { rest, at, query })
    return failed(501, 12, 'Not Implemented')
  }
}

/** A page of a list, whose key is the place of the next row. */
function page(body: Record<string, unknown[]>, query: URLSearchParams): UpstreamReply {
  const [[name, rows]] = Object.entries(body) as [[string, unknown[]]]
  const limit = numberOf(query, 'pagination.limit', { or: 100, max: 1_000 })
  const key = query.get('pagination.key')
  const from = key === null ? 0 : Number(Buffer.from(key, 'base64').toString())
  const next = from + limit < rows.length ? Buffer.from(String(from + limit)).toString('base64') : null
  return ok({
    [name]: rows.slice(from, from + limit),
    pagination: { next_key: next, total: String(rows.length) },
  })
}

function blockOf(chain: CosmosChain, { which, newest }: { which: string; newest: number }): UpstreamReply {
  const height = which === 'latest' ? newest : Number(which)
  if (height > newest)
    return failed(400, 3, `requested block height is bigger then the chain length ${newest}`)
  const header = {
    version: { block: '11', app: '0' },
    chain_id: chain.net.id,
    height: String(height),
    time: isoMs(chain.timeOf(height)).replace('Z', '123456Z'),
  }
  return ok({
    block_id: { hash: Buffer.from(`block ${height}`).toString('base64') },
    block: { header, data: { txs: [] }, evidence: { evidence: [] } },
  })
}

const QUERY =
  /^(coin_spent|coin_received)\.(spender|receiver)='([a-z0-9]+)' AND tx\.height>=(\d+) AND tx\.height<=(\d+)$/

function search(
  chain: CosmosChain,
  { query, newest }: { query: URLSearchParams; newest: number },
): UpstreamReply {
  const [, type, key, value, from, to] = QUERY.exec(query.get('query') ?? '') ?? []
  if (!type) return failed(400, 3, 'must declare at least one event to search')
  const found = chain
    .search(type, key!, value!)
    .filter(({ height }) => height >= Number(from) && height <= Math.min(Number(to), newest))
  if (query.get('order_by') === 'ORDER_BY_DESC') found.reverse()
  const limit = numberOf(query, 'limit', { or: 100, max: 100 })
  const number = numberOf(query, 'page', { or: 1, max: 1e6 })
  const pages = Math.max(1, Math.ceil(found.length / limit))
  if (number < 1 || number > pages)
    return failed(400, 3, `page should be within [1, ${pages}] range, given ${number}`)
  const rows = found.slice((number - 1) * limit, number * limit)
  return ok({
    txs: rows.map(bodyOf),
    tx_responses: rows.map((tx) => responseOf(tx)),
    pagination: null,
    total: String(found.length),
  })
}

const bodyOf = ({ messages, fee, payer }: CosmosTx) => ({
  body: {
    messages,
    memo: '',
    timeout_height: '0',
    extension_options: [],
    non_critical_extension_options: [],
  },
  auth_info: {
    signer_infos: [],
    fee: { amount: coinsOf(fee), gas_limit: '200000', payer, granter: '' },
    tip: null,
  },
  signatures: ['AA=='],
})

const responseOf = (tx: CosmosTx) => ({
  height: String(tx.height),
  txhash: tx.hash,
  codespace: tx.code === 0 ? '' : 'sdk',
  code: tx.code,
  data: '',
  raw_log: tx.code === 0 ? '' : 'failed to execute message; message index: 0: insufficient funds',
  logs: [],
  info: '',
  gas_wanted: '200000',
  gas_used: '91234',
  tx: { '@type': '/cosmos.tx.v1beta1.Tx', ...bodyOf(tx) },
  timestamp: isoSeconds(tx.at),
  events: tx.events,
})

function stakingOf(
  chain: CosmosChain,
  { rest, at, query }: { rest: string[]; at: number; query: URLSearchParams },
): UpstreamReply {
  const account = rest[1]!
  const held = chain.held(account, at)
  if (rest[0] === 'delegations') {
    const staked = [...(held?.staked ?? [])].filter(([, { raw }]) => raw > 0n)
    const rows = staked.map(([validator, { raw }]) => ({
      delegation: {
        delegator_address: account,
        validator_address: validator,
        shares: `${raw}.000000000000000000`,
      },
      balance: { denom: chain.net.denom, amount: String(raw) },
    }))
    return page({ delegation_responses: rows }, query)
  }
  const byValidator = Map.groupBy(held?.unbonding ?? [], ({ validator }) => validator)
  const rows = [...byValidator].map(([validator, entries]) => ({
    delegator_address: account,
    validator_address: validator,
    entries: entries.map(({ raw, height, until }) => ({
      creation_height: String(height),
      completion_time: isoSeconds(until),
      initial_balance: String(raw),
      balance: String(raw),
      unbonding_id: '1',
      unbonding_on_hold_ref_count: '0',
    })),
  }))
  return page({ unbonding_responses: rows }, query)
}

function metadataOf({ net }: CosmosChain, denom: string): UpstreamReply {
  const found = net.denoms.find((one) => one.denom === denom && one.path === null)
  if (!found) return notFound(`client metadata for denom ${denom}`)
  const { symbol, decimals } = found
  const units = [
    { denom, exponent: 0, aliases: [] },
    { denom: 'gift', exponent: decimals, aliases: [] },
  ]
  const metadata = { description: '', denom_units: units, base: denom, display: 'gift', name: symbol, symbol }
  return ok({ metadata: { ...metadata, uri: '', uri_hash: '' } })
}

function denomOf(
  { net }: CosmosChain,
  { rest, version }: { rest: string[]; version: number },
): UpstreamReply {
  const [kind, hash] = rest
  const found = net.denoms.find(({ denom }) => denom === `ibc/${hash}`)
  const [port = '', channel = '', base = ''] = found?.path?.split('/') ?? []
  if (kind !== (version >= 10 ? 'denoms' : 'denom_traces')) return failed(501, 12, 'Not Implemented')
  if (!found) return notFound(`${hash}: denomination not found`)
  return ok(
    version >= 10
      ? { denom: { base, trace: [{ port_id: port, channel_id: channel }] } }
      : { denom_trace: { path: `${port}/${channel}`, base_denom: base } },
  )
}

import { ok, type Upstream, type UpstreamReply } from '../upstream.ts'
import { friendly, jettons, jettonWalletOf, rawOf } from './actors.ts'
import { forwardFee, type JettonMove, type Message, type TonChain, type TonTx } from './ledger.ts'

const failed = (code: number, error: string): UpstreamReply => ({ status: code, body: { error, code } })
const mostRows = 1_000

/**
 * TON Center's API v3 (ton-index-go): what it lists of an account. Addresses and hashes of requests have any of the
 * usual spellings, those of answers are raw and base64.
 */
export function createToncenter(chainNow: () => TonChain): Upstream {
  return ({ method, path: [api, version, ...rest], query, now }) => {
    if (method !== 'GET' || api !== 'api' || version !== 'v3') return failed(404, 'not found')
    const chain = chainNow()
    const seen = chain.timeOf(chain.newest(now)) - 1
    const limit = Number(query.get('limit') ?? 10)
    if (limit > mostRows) return failed(422, `limit is not allowed: ${limit} > ${mostRows}`)
    const address = query.get('address') ?? query.get('account') ?? query.get('owner_address')
    const account = address === null ? '' : accountIn(address)
    if (account === null)
      return failed(422, `failed to decode: schema: error converting value for "${address}"`)
    const paged = <Row>(rows: readonly Row[]): Row[] => {
      const offset = Number(query.get('offset') ?? 0)
      const sorted = query.get('sort') === 'asc' ? rows : [...rows].reverse()
      return sorted.slice(offset, offset + limit)
    }
    /** The rows of the seconds asked for, of which the service knows those in blocks. */
    const between = <Row extends { now: number }>(rows: readonly Row[]): Row[] => {
      const [from, to] = [Number(query.get('start_utime') ?? 0), Number(query.get('end_utime') ?? seen)]
      return paged(rows.filter((one) => one.now >= from && one.now <= Math.min(to, seen)))
    }
    switch (rest.join('/')) {
      case 'masterchainInfo': {
        const last = blockOf(chain, chain.newest(now))
        return ok({ last, first: blockOf(chain, 1) })
      }
      case 'blocks': {
        const seqno = Number(query.get('seqno'))
        return ok({ blocks: seqno <= chain.newest(now) ? [blockOf(chain, seqno)] : [] })
      }
      case 'transactions': {
        const hashes = query.getAll('hash')
        const txs =
          hashes.length > 0
            ? hashes
                .flatMap((hash) => chain.tx(hash) ?? [])
                .filter((tx) => tx.now <= seen)
                .slice(0, limit)
            : between(chain.of(account))
        return ok({ transactions: txs.map(transactionOf), address_book: {} })
      }
      case 'jetton/transfers': {
        const rows = between(chain.movesOf(account).filter(({ kind }) => kind === 'transfer'))
        return ok({ jetton_transfers: rows.map(transferOf), address_book: {}, metadata: {} })
      }
      case 'jetton/burns': {
        const rows = between(chain.movesOf(account).filter(({ kind }) => kind === 'burn'))
        return ok({ jetton_burns: rows.map(burnOf), address_book: {}, metadata: {} })
      }
      case 'jetton/wallets': {
        const held = [...chain.held(account, seen)].filter(([, raw]) => raw > 0n)
        return ok({
          jetton_wallets: paged(held).map(([jetton, raw]) => walletOf({ owner: account, jetton, raw })),
          address_book: {},
          metadata: {},
        })
      }
      case 'jetton/masters':
        return ok(mastersOf(query.getAll('address').map(accountIn)))
      case 'accountStates':
        return ok({ accounts: stateOf(chain, account, seen), address_book: {}, metadata: {} })
      default:
        return failed(404, 'not found')
    }
  }
}

function accountIn(text: string): string | null {
  if (/^0:[0-9a-fA-F]{64}$/.test(text)) return text.toUpperCase()
  if (!/^[EU]Q[\w-]{46}$/.test(text)) return null
  const raw = rawOf(text)
  return friendly(raw, { isWallet: text.startsWith('U') }) === text ? raw : null
}

const blockOf = (chain: TonChain, seqno: number) => ({
  workchain: -1,
  shard: '8000000000000000',
  seqno,
  gen_utime: String(chain.timeOf(seqno)),
  start_lt: String(chain.timeOf(seqno) * 1_000_000),
  end_lt: String(chain.timeOf(seqno) * 1_000_000 + 4),
  tx_count: 9,
})

const messageOf = ({ hash, from, to, value, bounced }: Message) => ({
  hash,
  source: from,
  destination: to,
  value: from === null ? null : String(value),
  value_extra_currencies: {},
  fwd_fee: from === null ? null : String(forwardFee),
  ihr_fee: from === null ? null : '0',
  ihr_disabled: from === null ? null : true,
  bounce: from === null ? null : true,
  bounced: from === null ? null : bounced,
  import_fee: from === null ? '0' : null,
  opcode: null,
  message_content: null,
  init_state: null,
})

const transactionOf = (tx: TonTx) => ({
  account: tx.account,
  hash: tx.hash,
  lt: String(tx.lt),
  now: tx.now,
  mc_block_seqno: tx.block,
  trace_id: tx.trace,
  orig_status: 'active',
  end_status: 'active',
  total_fees: String(tx.fees),
  total_fees_extra_currencies: {},
  description: { type: 'ord', aborted: tx.aborted, destroyed: false, credit_first: tx.in.from === null },
  block_ref: { workchain: 0, shard: '8000000000000000', seqno: tx.block + 7 },
  in_msg: messageOf(tx.in),
  out_msgs: tx.out.map(messageOf),
  emulated: false,
  finality: 'finalized',
})

const jettonRow = ({ jetton, amount, hash, lt, now, trace, aborted }: JettonMove) => ({
  query_id: '0',
  amount: String(amount),
  jetton_master: jetton.master,
  transaction_hash: hash,
  transaction_lt: String(lt),
  transaction_now: now,
  transaction_aborted: aborted,
  custom_payload: null,
  decoded_custom_payload: null,
  trace_id: trace,
})

const transferOf = (move: JettonMove) => ({
  ...jettonRow(move),
  source: move.from,
  destination: move.to,
  source_wallet: jettonWalletOf(move.from, move.jetton.master),
  response_destination: move.from,
  forward_ton_amount: '1',
  forward_payload: null,
  decoded_forward_payload: null,
})

const burnOf = (move: JettonMove) => ({
  ...jettonRow(move),
  owner: move.from,
  jetton_wallet: jettonWalletOf(move.from, move.jetton.master),
  response_destination: move.from,
})

const walletOf = ({ owner, jetton, raw }: { owner: string; jetton: string; raw: bigint }) => ({
  address: jettonWalletOf(owner, jetton),
  balance: String(raw),
  owner,
  jetton,
  last_transaction_lt: '1',
  code_hash: null,
  data_hash: null,
})

function mastersOf(asked: readonly (string | null)[]) {
  const found = jettons.filter(({ master }) => asked.includes(master))
  return {
    jetton_masters: found.map(({ master, name, symbol, decimals, isOffChain }) => ({
      address: master,
      total_supply: '1000000000000000',
      mintable: true,
      admin_address: null,
      jetton_content: isOffChain
        ? { uri: 'https://jetton.example/token.json', decimals: String(decimals) }
        : { name, symbol, decimals: String(decimals) },
      last_transaction_lt: '1',
    })),
    address_book: {},
    metadata: Object.fromEntries(
      found
        .filter(({ isOffChain }) => isOffChain)
        .map(({ master, name, symbol, decimals }) => [
          master,
          {
            is_indexed: true,
            token_info: [
              { valid: true, type: 'jetton_masters', name, symbol, extra: { decimals: String(decimals) } },
            ],
          },
        ]),
    ),
  }
}

function stateOf(chain: TonChain, account: string, at: number) {
  const newest = chain.of(account).findLast((tx) => tx.now <= at)
  if (!newest) return []
  const [balance, status] = [String(chain.native(account, at)), 'active']
  const last = { last_transaction_hash: newest.hash, last_transaction_lt: String(newest.lt) }
  return [{ address: account, balance, status, ...last, extra_currencies: {} }]
}

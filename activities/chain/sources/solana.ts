import { SourceUnavailable } from '../../errors.ts'
import type { HttpClient } from '../../http-client.ts'
import type { ChainBlock, ChainRange, ChainTransfer } from '../chain-data.ts'
import type {
  BalanceRequest,
  HistoryPart,
  HistoryRequest,
  Holdings,
  HoldingsRequest,
  WalletAccount,
  WalletSource,
} from '../wallet-source.ts'
import { keepOwn } from './keep-own.ts'
import { createSolanaRpc, SIGNATURES_PER_PAGE } from './solana-rpc.ts'
import type { Signature } from './solana-rpc.ts'
import { decodeSolanaTransaction } from './solana-transaction.ts'

const NAME = 'solana'
/** At the pace of the public node they take 20 seconds. */
const TRANSACTIONS_PER_STEP = 50
const PAGES_PER_STEP = 60
const MS_PER_SLOT = 400

/** Where to resume reading one account. */
interface Position {
  account: string
  /** oldest transaction read */
  before: string | null
  /** newest transaction read */
  newest: string | null
}

/**
 * Solana's JSON-RPC, final slots only, so reorgs cannot happen. A transfer of a token into a wallet
 * references only the token account, so the history of every token account is read too: of current ones and
 * of those found in the wallet's transactions. A final slot identifies its block.
 */
export function createSolana(options: { http: HttpClient; url: string }): WalletSource {
  const rpc = createSolanaRpc(options)

  async function head() {
    const { slot, atMs } = await rpc.head()
    return { block: blockOf(slot, atMs), finalized: slot }
  }

  /** All accounts of a wallet: known ones, its own, and its current token accounts. */
  async function accountsOf({ address, accounts }: Pick<BalanceRequest, 'address' | 'accounts'>) {
    const known = new Map(accounts.map((one) => [one.account, one]))
    const listed = await rpc.readTokenAccounts(address)
    const add = (account: string, role: WalletAccount['role']) => {
      if (!known.has(account)) known.set(account, { account, role, readBlock: -1, newest: null })
    }
    add(address, 'wallet')
    for (const { account } of listed.accounts) add(account, 'token')
    return { known, listed }
  }

  /** The wallet's rows of one transaction, and the wallet's token accounts in it. */
  async function readOne(input: {
    address: string
    signature: Signature
    known: ReadonlyMap<string, WalletAccount>
    head: ChainBlock
  }): Promise<ChainRange & { tokenAccounts: string[] }> {
    const { address, signature } = input
    const tx = await rpc.readTransaction(signature.signature)
    const owners = new Map([...input.known.keys()].map((account) => [account, address]))
    // Nodes lost the times of some old slots.
    const guessMs = input.head.atMs - (input.head.number - tx.slot) * MS_PER_SLOT
    const atMs = typeof tx.blockTime === 'number' ? tx.blockTime * 1_000 : Math.floor(guessMs / 1_000) * 1_000
    const { transaction, transfers, tokenAccounts } = decodeSolanaTransaction(tx, { atMs, owners })
    const kept = keepOwn(new Set([address]), transfers)
    const isOwn = kept.length > 0 || transaction.from === address
    return {
      blocks: isOwn ? [blockOf(tx.slot, atMs)] : [],
      transactions: isOwn ? [transaction] : [],
      transfers: kept,
      tokenAccounts: [...tokenAccounts].filter(([, owner]) => owner === address).map(([account]) => account),
    }
  }

  async function readHistory(request: HistoryRequest): Promise<HistoryPart> {
    const { address, headBlock } = request
    const { known } = await accountsOf(request)
    const { block } = await head()
    const changed = new Set<string>()
    const range: ChainRange = { blocks: [], transactions: [], transfers: [] }
    const seen = new Set<string>()
    const unread = () => [...known.values()].find((one) => one.readBlock < headBlock)
    let position: Position | null = request.next === null ? null : (JSON.parse(request.next) as Position)
    let [pages, read] = [0, 0]
    for (; pages < PAGES_PER_STEP && read < TRANSACTIONS_PER_STEP; pages++) {
      position ??= start(unread())
      if (position === null) break
      const { account, before }: Position = position
      const until = known.get(account)?.newest ?? null
      const page = await rpc.readSignatures({ account, before, until })
      const final = page.filter(({ slot }) => slot <= headBlock)
      const newest: string | null = position.newest ?? final[0]?.signature ?? until
      const part = final.slice(0, TRANSACTIONS_PER_STEP)
      const stored = await request.findStored(part.map(({ signature }) => signature))
      for (const signature of part) {
        if (stored.has(signature.signature) || seen.has(signature.signature)) continue
        seen.add(signature.signature)
        const one = await readOne({ address, signature, known, head: block })
        read++
        request.onProgress()
        range.blocks.push(...one.blocks)
        range.transactions.push(...one.transactions)
        range.transfers.push(...one.transfers)
        for (const token of one.tokenAccounts)
          if (!known.has(token)) {
            known.set(token, { account: token, role: 'token', readBlock: -1, newest: null })
            changed.add(token)
          }
      }
      const isLast = page.length < SIGNATURES_PER_PAGE && part.length === final.length
      if (!isLast) {
        position = { account, before: part.at(-1)?.signature ?? page.at(-1)!.signature, newest }
        continue
      }
      const { role } = known.get(account) ?? { role: 'token' as const }
      known.set(account, { account, role, readBlock: headBlock, newest })
      changed.add(account)
      position = null
    }
    const rest = position ?? start(unread())
    range.blocks = [...new Map(range.blocks.map((one) => [one.number, one])).values()]
    return {
      source: NAME,
      range,
      accounts: [...changed].map((account) => known.get(account)!),
      fromBlock: Math.min(headBlock, ...range.transactions.map((one) => one.blockNumber)),
      through: rest === null ? headBlock : request.cursor,
      next: rest && JSON.stringify(rest),
    }
  }

  /** What the node lists, each answer as of its own slot. */
  async function readHoldings({ address }: HoldingsRequest): Promise<Holdings> {
    const { block } = await head()
    const { lamports } = await rpc.readBalance(address)
    const { accounts } = await rpc.readTokenAccounts(address)
    const amounts = new Map<string, bigint>()
    for (const { mint, amount } of accounts) amounts.set(mint, (amounts.get(mint) ?? 0n) + amount)
    return { block, native: lamports, tokens: [...amounts].map(([mint, raw]) => ({ address: mint, raw })) }
  }

  /** Current balances less the changes since the block. */
  async function readBalances(request: BalanceRequest) {
    const { address, tokens, headBlock } = request
    const { lamports, slot } = await rpc.readBalance(address)
    const { known, listed } = await accountsOf(request)
    const slots = [slot, ...listed.slots]
    const amounts = new Map<string | null, bigint>([[null, lamports]])
    for (const { mint, amount } of listed.accounts) amounts.set(mint, (amounts.get(mint) ?? 0n) + amount)
    const block = blockOf(headBlock, (await rpc.blockTime(headBlock)) * 1_000)
    for (const signature of await later(known.values(), headBlock)) {
      if (signature.slot > Math.max(...slots)) continue
      if (signature.slot > Math.min(...slots))
        throw new SourceUnavailable(NAME, 'the wallet changed while its balances were read')
      const { transactions, transfers } = await readOne({ address, signature, known, head: block })
      for (const { fee, from } of transactions) if (from === address) add(amounts, null, fee)
      for (const one of transfers) add(amounts, one.token, -deltaOf(address, one))
    }
    const native = amounts.get(null)!
    return { block, native, tokens: tokens.map((mint) => amounts.get(mint) ?? 0n) }
  }

  /** Transactions of the accounts in slots above the given one, without duplicates. */
  async function later(accounts: Iterable<WalletAccount>, above: number): Promise<Iterable<Signature>> {
    const found = new Map<string, Signature>()
    for (const { account, newest } of accounts)
      for (let before: string | null = null; ;) {
        const page: Signature[] = await rpc.readSignatures({ account, before, until: newest })
        const newer = page.filter(({ slot }) => slot > above)
        for (const one of newer) found.set(one.signature, one)
        if (newer.length < page.length || page.length < SIGNATURES_PER_PAGE) break
        before = page.at(-1)!.signature
      }
    return found.values()
  }

  return {
    name: NAME,
    head,
    headers: null,
    readHistory,
    readTokens: rpc.readMints,
    readHoldings,
    readBalances,
    readStates: rpc.readStates,
    async listAccounts(address) {
      return (await rpc.readTokenAccounts(address)).accounts.map(({ account }) => account)
    },
  }
}

function start(account: WalletAccount | undefined): Position | null {
  return account ? { account: account.account, before: null, newest: null } : null
}

function blockOf(slot: number, atMs: number): ChainBlock {
  return { number: slot, hash: String(slot), parentHash: null, atMs }
}

function deltaOf(address: string, { from, to, raw }: ChainTransfer): bigint {
  return to === address ? raw : from === address ? -raw : 0n
}

function add(amounts: Map<string | null, bigint>, key: string | null, raw: bigint): void {
  amounts.set(key, (amounts.get(key) ?? 0n) + raw)
}

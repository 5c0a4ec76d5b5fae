import { base58 } from '@scure/base'
import type { SolanaChain, SlottedTx } from './chain.ts'
import { answerDas } from './das.ts'
import type { TokenBalance } from './ledger.ts'
import { accountsOfProgram, encodedAccount } from './program-accounts.ts'
import { keyOf, solanaTokens } from './tokens.ts'
import { ok, type Upstream } from '../upstream.ts'

type Params = unknown[]
type Options = Record<string, unknown>
type Answer = { result: unknown } | { error: { code: number; message: string } }

const refused = (code: number, message: string): Answer => ({ error: { code, message } })
const invalid = (message: string): Answer => refused(-32602, `Invalid param: ${message}`)
const unsupported = (version: number): Answer =>
  refused(
    -32015,
    `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  )

/** JSON numbers, as a node writes them; the sandbox's lamports fit into a double. */
const number = (value: bigint): number => Number(value)

function amountOf({ amount, token }: TokenBalance) {
  const uiAmount = Number(amount) / 10 ** token.decimals
  return { amount: String(amount), decimals: token.decimals, uiAmount, uiAmountString: String(uiAmount) }
}

function transactionOf(tx: SlottedTx) {
  const tokenRows = (side: 'before' | 'after') =>
    tx.accounts.flatMap((one, accountIndex) => {
      const balance = one[side].token
      if (!balance) return []
      const { owner, token } = balance
      return [
        { accountIndex, mint: token.mint, owner, programId: token.program, uiTokenAmount: amountOf(balance) },
      ]
    })
  const err = tx.failed ? { InstructionError: [0, { Custom: 6001 }] } : null
  return {
    slot: tx.slot,
    blockTime: tx.at,
    version: tx.version,
    meta: {
      err,
      status: err ? { Err: err } : { Ok: null },
      fee: number(tx.fee),
      rewards: [],
      preBalances: tx.accounts.map(({ before }) => number(before.lamports)),
      postBalances: tx.accounts.map(({ after }) => number(after.lamports)),
      preTokenBalances: tokenRows('before'),
      postTokenBalances: tokenRows('after'),
      innerInstructions: [],
      logMessages: [],
      computeUnitsConsumed: 450,
    },
    transaction: {
      signatures: [tx.signature],
      message: {
        accountKeys: tx.accounts.map(({ key }, i) => ({
          pubkey: key,
          signer: i === 0,
          writable: true,
          source: tx.version !== 'legacy' && i > 2 ? 'lookupTable' : 'transaction',
        })),
        instructions: [],
        recentBlockhash: keyOf(`blockhash ${tx.slot}`),
      },
    },
  }
}

function mintOf(mint: string) {
  const token = solanaTokens.find((one) => one.mint === mint)
  if (!token) return null
  const extensions = token.metadata
    ? [{ extension: 'tokenMetadata', state: { mint, ...token.metadata, uri: '', additionalMetadata: [] } }]
    : undefined
  const info = { decimals: token.decimals, isInitialized: true, supply: '1000000000000', mintAuthority: null }
  const program = token.metadata ? 'spl-token-2022' : 'spl-token'
  const parsed = { type: 'mint', info: { ...info, freezeAuthority: null, ...(extensions && { extensions }) } }
  return {
    lamports: 1_461_600,
    owner: token.program,
    executable: false,
    data: { program, parsed, space: 82 },
  }
}

/** A token account: mint, owner, amount, and fields that are empty here. */
function tokenData({ amount, owner, token }: TokenBalance): Buffer {
  const data = Buffer.alloc(165)
  data.set(base58.decode(token.mint), 0)
  data.set(base58.decode(owner), 32)
  data.writeBigUInt64LE(amount, 64)
  return data
}

/** Solana's JSON-RPC over the sandbox's chain, final slots only, and the Digital Asset Standard. */
export function createSolana(chainNow: () => SolanaChain): Upstream {
  return ({ method, bodyText, now }) => {
    if (method !== 'POST')
      return { status: 405, body: 'Used HTTP Method is not allowed. POST or OPTIONS is required' }
    const call = JSON.parse(bodyText) as { id?: number; method?: string; params?: Params }
    const answer =
      answerDas(call.method ?? '', call.params) ??
      answersOf(chainNow())(call.method ?? '', call.params ?? [], now)
    return ok({ jsonrpc: '2.0', ...answer, id: call.id ?? null })
  }
}

function answersOf(chain: SolanaChain) {
  function signatures([address, options = {}]: Params, now: number): Answer {
    const { limit = 1_000, before, until } = options as Options
    if (typeof address !== 'string' || !/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address))
      return invalid('WrongSize')
    if (typeof limit !== 'number' || limit < 1 || limit > 1_000) return invalid('Invalid limit; max 1000')
    const all = chain.of(address, now)
    const from = before === undefined ? 0 : all.findIndex((tx) => tx.signature === before) + 1
    const to = until === undefined ? -1 : all.findIndex((tx) => tx.signature === until)
    const rows = (to < 0 ? all : all.slice(0, to)).slice(
      before !== undefined && from === 0 ? all.length : from,
    )
    const result = rows.slice(0, limit).map((tx) => ({
      signature: tx.signature,
      slot: tx.slot,
      blockTime: tx.at,
      memo: null,
      err: tx.failed ? { InstructionError: [0, { Custom: 6001 }] } : null,
      confirmationStatus: 'finalized',
    }))
    return { result }
  }

  function transaction([signature, options = {}]: Params, now: number): Answer {
    const tx = chain.find(String(signature), now)
    if (!tx) return { result: null }
    const { maxSupportedTransactionVersion: highest, encoding } = options as Options
    if (encoding !== 'jsonParsed') return invalid('the sandbox supports only jsonParsed')
    if (tx.version === 'legacy') return { result: transactionOf(tx) }
    const accepted = typeof highest === 'number' && highest >= tx.version
    return accepted ? { result: transactionOf(tx) } : unsupported(tx.version)
  }

  function tokenAccounts([owner, filter = {}]: Params, now: number): Answer {
    const { programId } = filter as Options
    const value = chain.tokenAccountsOf(String(owner)).flatMap((pubkey) => {
      const account = chain.account(pubkey, now)
      if (!account?.token || account.token.token.program !== programId) return []
      const { token } = account.token
      const info = {
        isNative: false,
        mint: token.mint,
        owner,
        state: 'initialized',
        tokenAmount: amountOf(account.token),
      }
      const data = { program: 'spl-token', parsed: { info, type: 'account' }, space: 165 }
      return [
        {
          pubkey,
          account: { lamports: number(account.lamports), owner: programId, executable: false, data },
        },
      ]
    })
    return { result: { context: { slot: chain.finalSlot(now) }, value } }
  }

  function multipleAccounts([keys, options = {}]: Params, now: number): Answer {
    const context = { slot: chain.finalSlot(now) }
    const { encoding, dataSlice } = options as {
      encoding?: string
      dataSlice?: { offset: number; length: number }
    }
    if (encoding === 'jsonParsed') return { result: { context, value: (keys as string[]).map(mintOf) } }
    if (encoding !== 'base64') return invalid('the sandbox supports only jsonParsed and base64')
    const kept = new Map(chain.programAccounts(now).map((one) => [one.address, one]))
    const value = (keys as string[]).map((key) => {
      const ofProgram = kept.get(key)
      if (ofProgram) return encodedAccount(ofProgram, dataSlice)
      const account = chain.account(key, now)
      if (!account || account.lamports === 0n) return null
      const data = account.token ? tokenData(account.token) : new Uint8Array()
      const owner = account.token?.token.program ?? '11111111111111111111111111111111'
      return encodedAccount({ owner, lamports: account.lamports, data }, dataSlice)
    })
    return { result: { context, value } }
  }

  function programAccounts([program, options = {}]: Params, now: number): Answer {
    const { encoding, withContext, filters } = options as {
      encoding?: string
      withContext?: boolean
      filters?: Parameters<typeof accountsOfProgram>[1]['filters']
    }
    // Whole programs are not listed: the public node refuses them.
    if (!filters?.some((one) => 'memcmp' in one))
      return refused(410, 'The RPC call or parameters have been disabled.')
    if (encoding !== 'base64') return invalid('the sandbox supports only base64')
    const value = accountsOfProgram(chain.programAccounts(now), { program: String(program), filters })
    return { result: withContext ? { context: { slot: chain.finalSlot(now) }, value } : value }
  }

  function answer(method: string, params: Params, now: number): Answer {
    const context = { slot: chain.finalSlot(now) }
    const { minContextSlot = 0 } = (params.at(-1) ?? {}) as { minContextSlot?: number }
    if (minContextSlot > context.slot) return refused(-32016, 'Minimum context slot has not been reached')
    switch (method) {
      case 'getHealth':
        return { result: 'ok' }
      case 'getSlot':
        return { result: context.slot }
      case 'getEpochInfo':
        return { result: chain.epochInfo(now) }
      case 'getBlockTime':
        return Number(params[0]) > context.slot
          ? refused(-32004, `Block not available for slot ${String(params[0])}`)
          : { result: chain.timeOf(Number(params[0])) }
      case 'getBalance':
        return { result: { context, value: number(chain.account(String(params[0]), now)?.lamports ?? 0n) } }
      case 'getMultipleAccounts':
        if ((params[0] as string[]).length > 100) return invalid('Too many inputs provided; max 100')
        return multipleAccounts(params, now)
      case 'getProgramAccounts':
        return programAccounts(params, now)
      case 'getSignaturesForAddress':
        return signatures(params, now)
      case 'getTransaction':
        return transaction(params, now)
      case 'getTokenAccountsByOwner':
        return tokenAccounts(params, now)
      default:
        return refused(-32601, 'Method not found')
    }
  }

  return answer
}

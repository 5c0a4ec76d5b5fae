import type { Action } from '../../db/chain/stored-transaction.ts'
import type { Role } from '../../db/pnl/legs/roles.ts'
import { nftCoinId } from '../../db/values/coins.ts'
import { MULTISEND_RECEIVERS, ZERO_ADDRESS } from './chain-data.ts'
import type { ChainTransaction, ChainTransfer } from './chain-data.ts'
import { netLegs } from './net-legs.ts'
import type { Leg, NftLeg } from './net-legs.ts'
import type { WalletContext } from './wallet-context.ts'

export type TransactionType = 'deposit' | 'withdraw' | 'approve' | 'executed' | 'balance' | 'fee'

/** One signed change of a coin; `seq` orders the movements of a transaction. */
export interface NormalisedMovement {
  seq: number
  role: Role
  coinId: string
  /** positive in, negative out */
  raw: bigint
  decimals: number
  counterparty: string | null
}

/** One leg of a transaction in the response: a movement or an approved amount. `coinId`: null for an NFT. */
export interface Line {
  /** The last two are fields of their own in the response. */
  action: Action | 'Approve' | 'Fee'
  token: string | null
  coinId: string | null
  raw: bigint
  decimals: number
  nft: { id: string; token: string } | null
  counterparty: string | null
  /** `seq` of the movement whose price values the line; null: no value */
  seq: number | null
}

export interface NormalisedTransaction {
  transaction: ChainTransaction
  type: TransactionType
  label: string
  identified: boolean
  movements: NormalisedMovement[]
  lines: Line[]
  /** the lines that say what the transaction is: no rent, and no wrap or reward if anything else moves */
  telling: Line[]
  /** what the last movement of the role `fee` was paid in; null: the native coin */
  feeToken: string | null
}

/**
 * Interprets a chain transaction for one wallet; null when it changes nothing of the wallet. Pure: prices
 * come later. Amounts of a token without decimals are in base units.
 */
export function normalise(
  context: WalletContext,
  transaction: ChainTransaction,
  transfers: readonly ChainTransfer[],
): NormalisedTransaction | null {
  const { own } = context
  const operated = settleOperations(own, transfers)
  const paid = transfers.filter((one) => one.kind === 'fee' && own.has(one.from))
  const tokenFees = paid.filter(({ token }) => token !== null)
  const nativeFees = paid.reduce((sum, { token, raw }) => (token === null ? sum + raw : sum), 0n)
  const fee = operated.fee + feePaid(own, transaction, transfers) + nativeFees
  const isSender = own.has(transaction.from) || operated.count > 0 || fee > 0n
  const isSpent = transfers.some((one) => one.kind === 'input')
  // What a deposit credits stays, also when the call with it fails.
  const moving = transaction.success ? operated.rest : transfers.filter(({ kind }) => kind === 'mint')
  const { legs, nfts, zeroes } = netLegs(context, moving, isSpent ? fee : 0n)
  const result = {
    transaction,
    movements: [] as NormalisedMovement[],
    lines: [] as Line[],
    telling: [] as Line[],
    feeToken: tokenFees.at(-1)?.token ?? null,
  }
  const real = legs.filter((leg) => !leg.asset.isSpam && !leg.isRent && !leg.isReward && leg.part === null)
  const roleOf = chooseRoles({ isSender, legs: real, nfts })
  for (const leg of legs) {
    const role = leg.part ?? fixedRoleOf(leg) ?? roleOf(leg)
    const seq = result.movements.length
    result.movements.push({ seq, role, ...movementOf(leg) })
    result.lines.push({ ...lineOf(leg), seq })
  }
  for (const nft of nfts) {
    const seq = isMeasured(nft) ? result.movements.length : null
    if (seq !== null) result.movements.push({ seq, role: roleOf(nft), ...nftMovement(context, nft) })
    result.lines.push({ ...nftLine(nft), seq })
  }
  const fees = [...(fee > 0n ? [{ token: null, raw: fee }] : []), ...tokenFees]
  for (const one of fees) result.movements.push(feeMovement(context, one, result.movements.length))

  const legOf = ({ seq }: Line) => (seq === null ? undefined : legs[seq])
  const moved = result.lines.filter((line) => !legOf(line)?.isRent)
  const rest = moved.filter((line) => !legOf(line)?.part)
  const wrapped = moved.filter((line) => legOf(line)?.part === 'wrap')
  const others = rest.filter((line) => !legOf(line)?.isReward)
  const telling = [others, rest, wrapped, result.lines].find((lines) => lines.length > 0) ?? []
  result.telling = telling
  const isIn = telling.some((line) => line.raw > 0n)
  const isOut = telling.some((line) => line.raw < 0n)
  const seen = legs.filter((leg) => !leg.asset.isSpam && leg.asset.isIdentified)
  const identified = seen.length > 0 || nfts.some((nft) => !nft.isSpam)
  if (isIn && isOut) return { ...result, type: 'executed', label: tradeLabel(real, nfts), identified }
  if (isIn) return { ...result, type: 'deposit', label: 'Received', identified }
  if (isOut) return { ...result, type: 'withdraw', label: 'Sent', identified }
  if (isSender) return gasOnly(context, result, transaction.success ? transfers : [])
  // A zero-value transfer sent by someone else, usually address poisoning.
  if (zeroes.length === 0) return null
  const received = own.has(zeroes[0]!.to)
  result.lines.push(...zeroes.slice(0, 1).map((zero) => zeroLine(context, zero)))
  result.telling = result.lines
  return {
    ...result,
    type: received ? 'deposit' : 'withdraw',
    label: received ? 'Received' : 'Sent',
    identified: false,
  }
}

/** The role that a leg has whatever else moves. null: it depends */
function fixedRoleOf({ asset, isRent, isReward }: Leg): Role | null {
  if (asset.isSpam) return 'spam'
  return isReward ? 'reward' : isRent ? 'transfer' : null
}

/** Whether profit and loss knows the NFT. Spam has no value, and that of a position is in the coins inside it. */
const isMeasured = (nft: NftLeg) => !nft.isSpam && !nft.isPosition

/**
 * Assigns the P&L roles of a transaction's legs. What goes into a position of DeFi, or comes out, is a flow. An NFT
 * that the wallet mints without a payment has no cost.
 */
function chooseRoles(found: { isSender: boolean; legs: Leg[]; nfts: NftLeg[] }): (leg: Leg | NftLeg) => Role {
  const { isSender, legs, nfts } = found
  if (nfts.some(({ isPosition }) => isPosition)) return () => 'transfer'
  const changes = [...legs.map(({ raw }) => raw), ...nfts.filter(isMeasured).map(({ count }) => count)]
  if (changes.some((change) => change < 0n))
    return () => (changes.some((change) => change > 0n) ? 'trade' : 'transfer')
  // Exchanges pay stablecoins and native coins to many receivers at once: those are not airdrops.
  const isGift = (leg: Leg) =>
    leg.fanOut >= MULTISEND_RECEIVERS && leg.asset.isIdentified && !leg.asset.isStable
  return (leg) => {
    const isIncome =
      'tokenId' in leg ? isSender && leg.counterparty === ZERO_ADDRESS : !isSender && isGift(leg)
    return isIncome ? 'airdrop' : 'transfer'
  }
}

function tradeLabel(legs: readonly Leg[], nfts: readonly NftLeg[]): string {
  if (nfts.length > 0) {
    const ins = nfts.some((nft) => nft.count > 0n)
    const outs = nfts.some((nft) => nft.count < 0n)
    return ins && outs ? 'Swap' : ins ? 'Buy' : 'Sell'
  }
  const stable = (side: Leg[]) => side.length > 0 && side.every((leg) => leg.asset.isStable)
  const given = stable(legs.filter((leg) => leg.raw < 0n))
  const got = stable(legs.filter((leg) => leg.raw > 0n))
  return given === got ? 'Swap' : given ? 'Buy' : 'Sell'
}

function gasOnly(
  context: WalletContext,
  result: Pick<NormalisedTransaction, 'transaction' | 'movements' | 'feeToken'>,
  transfers: readonly ChainTransfer[],
): NormalisedTransaction | null {
  const approval = transfers.find((one) => one.kind === 'approval' && context.own.has(one.from))
  if (approval) {
    const asset = context.assetOf(approval.token)
    const allowed = {
      raw: approval.raw,
      decimals: asset.decimals,
      token: approval.token,
      coinId: asset.coinId,
    }
    const line: Line = { action: 'Approve', ...allowed, nft: null, counterparty: approval.to, seq: null }
    const identified = asset.isIdentified && !asset.isSpam
    return { ...result, lines: [line], telling: [line], type: 'approve', label: 'Sent', identified }
  }
  const fee = result.movements.at(-1)
  if (!fee) return null
  const { coinId, raw, decimals, seq } = fee
  const asset = { token: result.feeToken, coinId, raw, decimals, nft: null }
  const line: Line = { action: 'Fee', ...asset, counterparty: null, seq }
  return { ...result, lines: [line], telling: [line], type: 'fee', label: 'Sent', identified: true }
}

function movementOf(leg: Leg): Omit<NormalisedMovement, 'seq' | 'role'> {
  const { coinId, decimals } = leg.asset
  return { coinId, raw: leg.raw, decimals, counterparty: leg.counterparty }
}

function nftMovement(
  { network: { blockchain } }: WalletContext,
  { token, tokenId, count, counterparty }: NftLeg,
): Omit<NormalisedMovement, 'seq' | 'role'> {
  const coinId = nftCoinId({ contract: token, tokenId, blockchain })
  return { coinId, raw: count, decimals: 0, counterparty }
}

/** The wallet's part of the fee: all of it as the sender; on Bitcoin its share of the inputs. */
function feePaid(
  own: ReadonlySet<string>,
  transaction: ChainTransaction,
  transfers: readonly ChainTransfer[],
): bigint {
  const inputs = transfers.filter((one) => one.kind === 'input')
  if (inputs.length === 0) return own.has(transaction.from) ? transaction.fee : 0n
  const spent = inputs.reduce((sum, one) => (own.has(one.from) ? sum + one.raw : sum), 0n)
  return transaction.value > 0n ? (transaction.fee * spent) / transaction.value : 0n
}

/**
 * What operations cost a smart account (ERC-4337), and its other transfers. The account sends the contract that
 * runs them more than they cost, and the rest stays there, locked as rent is. Without such a transfer it pays from
 * what is locked, or the source does not tell of it.
 */
function settleOperations(
  own: ReadonlySet<string>,
  transfers: readonly ChainTransfer[],
): { count: number; fee: bigint; rest: readonly ChainTransfer[] } {
  const operations = transfers.filter(({ kind, from }) => kind === 'operation' && own.has(from))
  if (operations.length === 0) return { count: 0, fee: 0n, rest: transfers }
  const entryPoints = new Set(operations.map(({ to }) => to))
  const [sent, others] = [true, false].map((wanted) =>
    transfers.filter(
      ({ kind, from, to }) => (kind === 'internal' && own.has(from) && entryPoints.has(to)) === wanted,
    ),
  ) as [ChainTransfer[], ChainTransfer[]]
  const sum = (all: readonly ChainTransfer[]) => all.reduce((total, { raw }) => total + raw, 0n)
  const cost = sum(operations)
  const paid = sum(sent)
  const fee = paid > 0n && paid < cost ? paid : cost
  const locked = sent.slice(0, 1).map((one): ChainTransfer => ({ ...one, kind: 'rent', raw: paid - fee }))
  return { count: operations.length, fee, rest: [...others, ...locked] }
}

function feeMovement(
  context: WalletContext,
  { token, raw }: Pick<ChainTransfer, 'token' | 'raw'>,
  seq: number,
): NormalisedMovement {
  const { coinId, decimals } = context.assetOf(token)
  return { seq, role: 'fee', coinId, raw: -raw, decimals, counterparty: null }
}

function lineOf(leg: Leg): Omit<Line, 'seq'> {
  const { token, counterparty } = leg
  return { action: actionOf(leg.raw), token, ...movementOf(leg), nft: null, counterparty }
}

function nftLine(nft: Omit<NftLeg, 'isSpam' | 'isPosition'>): Line {
  const { token, counterparty } = nft
  return {
    action: actionOf(nft.count),
    token,
    coinId: null,
    raw: nft.count,
    decimals: 0,
    seq: null,
    nft: { id: nft.tokenId.toString(), token },
    counterparty,
  }
}

function zeroLine(context: WalletContext, zero: ChainTransfer): Line {
  const received = context.own.has(zero.to)
  const { token, tokenId } = zero
  const counterparty = received ? zero.from : zero.to
  const action = received ? 'Received' : 'Sent'
  if (token !== null && tokenId !== null)
    return { ...nftLine({ token, tokenId, count: 0n, counterparty }), action }
  const { coinId, decimals } = context.assetOf(token)
  return { action, token, coinId, raw: 0n, decimals, seq: null, nft: null, counterparty }
}

export function actionOf(raw: bigint): Action {
  return raw > 0n ? 'Received' : 'Sent'
}

import type pg from 'pg'
import { networkOf } from '../../db/chain/wallet-assets.ts'
import { insertTokens } from '../../db/chain/tokens.ts'
import type { DefiWallet } from '../../db/defi/due-wallets.ts'
import { failDefiRead } from '../../db/defi/fail-read.ts'
import { readMarks, settleMarks } from '../../db/defi/marks.ts'
import { walletNfts } from '../../db/defi/wallet-nfts.ts'
import { walletTokens } from '../../db/defi/wallet-tokens.ts'
import { unknownTokens } from '../../db/defi/unknown-tokens.ts'
import { writeDefiRead } from '../../db/defi/write-positions.ts'
import type { DefiReadToWrite } from '../../db/defi/write-positions.ts'
import { transact } from '../../db/transact.ts'
import { isNetworkId } from '../../db/values/networks.ts'
import { SourceRejected } from '../errors.ts'
import { readTokenMetadata } from '../nodes/rpc-contracts.ts'
import type { RpcClient } from '../nodes/rpc.ts'
import { readAtHead } from './block-reader.ts'
import type { BlockReader } from './block-reader.ts'
import { type HeldToken, heldTokens } from './held-tokens.ts'
import type { Protocol, ProtocolReading } from './position.ts'
import { PROTOCOLS } from './protocols.ts'

export interface DefiReadResult {
  positions: number
  /** number of protocols and positions that did not answer and keep their last reading */
  unknown: number
}

/** A wallet of which nothing could be read. */
export interface FailedRead {
  walletId: string
  error: Error
}

const LONGEST_FAILURE = 2_000

interface Deps {
  pool: pg.Pool
  client: RpcClient
  now: () => Date
  onProgress: () => void
}

/**
 * Reads the positions of wallets in every protocol of a network at one block, with shared calls, and replaces the
 * stored ones in one transaction. A protocol that reverts keeps its last reading. A wallet whose mark was taken before
 * the block is marked no more, once everything has answered. Returns the wallets of which no protocol answered: their
 * failure is stored. Throws when the node does not answer.
 */
export async function readWallets(
  deps: Deps,
  { networkId, wallets }: { networkId: string; wallets: readonly DefiWallet[] },
): Promise<{ read: Map<string, DefiReadResult>; failed: FailedRead[] }> {
  const { pool, client, now } = deps
  const walletIds = wallets.map(({ walletId }) => walletId)
  const marks = await readMarks(pool, { networkId, walletIds })
  const reader = await readAtHead(client, deps.onProgress)
  const { source, block } = reader
  const tokensOf = await walletTokens(pool, { networkId, walletIds })
  const nftsOf = once((contract: string) => walletNfts(pool, { networkId, walletIds, contract }))
  const readings = await Promise.all(
    wallets.map(async ({ walletId, address: account }) => {
      const { received = [], held: tokens = [] } = tokensOf.get(walletId) ?? {}
      const held = heldTokens({ reader, account, tokens })
      const nfts = async (contract: string) => (await nftsOf(contract)).get(walletId) ?? []
      return { walletId, ...(await readProtocols({ reader, networkId, account, received, held, nfts })) }
    }),
  )
  const fetchedAt = now()
  const tokens = readings.flatMap(({ positions }) =>
    positions.flatMap(({ assets }) => assets.flatMap(({ token }) => token ?? [])),
  )
  await learnTokens({ pool, client, networkId, tokens, fetchedAt })
  const answered = readings.filter((reading) => reading.answered.length > 0)
  await transact(pool, async ({ client: connection }) => {
    for (const reading of answered.toSorted((a, b) => Number(a.walletId) - Number(b.walletId)))
      await writeDefiRead(connection, { networkId, block, source, fetchedAt, ...reading })
    const complete = answered.filter(({ failure }) => failure === null)
    const completeIds = complete.map(({ walletId }) => walletId)
    await settleMarks(connection, { networkId, blockNumber: block.number, marks, completeIds })
  })
  const failed = readings
    .filter((reading) => reading.answered.length === 0)
    // No Multicall3, or a node of another chain.
    .map(({ walletId, failure }) => ({
      walletId,
      error: new SourceRejected(source, failure ?? 'no protocols'),
    }))
  for (const { walletId, error } of failed)
    await failDefiRead(pool, { walletId, networkId, source, at: fetchedAt, failure: error.message })
  const read = answered.map(
    ({ walletId, positions, reasons }) =>
      [walletId, { positions: positions.length, unknown: reasons.length }] as const,
  )
  return { read: new Map(read), failed }
}

/** Asks once for each argument. */
function once<T>(ask: (of: string) => Promise<T>): (of: string) => Promise<T> {
  const asked = new Map<string, Promise<T>>()
  return (of) => {
    const answer = asked.get(of) ?? ask(of)
    asked.set(of, answer)
    return answer
  }
}

async function readProtocols(input: {
  reader: BlockReader
  networkId: string
  account: string
  received: readonly string[]
  held: () => Promise<HeldToken[]>
  nfts: (contract: string) => Promise<bigint[]>
}): Promise<Pick<DefiReadToWrite, 'answered' | 'unknown' | 'positions' | 'failure'> & { reasons: string[] }> {
  const { networkId } = input
  if (!isNetworkId(networkId)) throw new SourceRejected(input.reader.source, `no network ${networkId}`)
  const protocols = PROTOCOLS.filter(({ networks }) => networks.includes(networkId))
  const outcomes = await Promise.all(protocols.map((protocol) => attempt(protocol, { ...input, networkId })))
  const answers = outcomes.flatMap(({ protocolId, reading }) => (reading ? { protocolId, reading } : []))
  const reasons = outcomes.flatMap(({ protocolId, reading, reason }) =>
    reading
      ? reading.unknown.map((one) => `${protocolId} ${one.id}: ${one.reason}`)
      : `${protocolId}: ${reason}`,
  )
  return {
    answered: answers.map(({ protocolId }) => protocolId),
    unknown: answers.flatMap(({ protocolId, reading }) =>
      reading.unknown.map(({ id }) => ({ protocolId, id })),
    ),
    positions: answers.flatMap(({ protocolId, reading }) =>
      reading.positions.map((position) => ({ protocolId, ...position })),
    ),
    reasons,
    failure: reasons.length === 0 ? null : reasons.join('; ').slice(0, LONGEST_FAILURE),
  }
}

interface Outcome {
  protocolId: string
  /** null: the protocol did not answer */
  reading: ProtocolReading | null
  reason: string
}

async function attempt(protocol: Protocol, input: Parameters<Protocol['read']>[0]): Promise<Outcome> {
  const protocolId = protocol.id
  try {
    return { protocolId, reading: await protocol.read(input), reason: '' }
  } catch (error) {
    if (error instanceof SourceRejected) return { protocolId, reading: null, reason: error.message }
    throw error
  }
}

/** Reads and stores symbol and decimals of unknown tokens. */
async function learnTokens(input: {
  pool: pg.Pool
  client: RpcClient
  networkId: string
  tokens: readonly string[]
  fetchedAt: Date
}): Promise<void> {
  const { pool, client, networkId, fetchedAt } = input
  const unknown = await unknownTokens(pool, { networkId, addresses: input.tokens })
  if (unknown.length === 0) return
  const { blockchain } = await networkOf(pool, networkId)
  const tokens = await readTokenMetadata(client, unknown)
  await insertTokens(pool, { networkId, blockchain, source: client.source, fetchedAt, tokens })
}

import type pg from 'pg'
import { networkOf } from '../../db/chain/wallet-assets.ts'
import { insertTokens } from '../../db/chain/tokens.ts'
import type { DefiWallet } from '../../db/defi/due-wallets.ts'
import { unknownTokens } from '../../db/defi/unknown-tokens.ts'
import { unpricedCoins } from '../../db/defi/unpriced-coins.ts'
import { writeDefiRead } from '../../db/defi/write-positions.ts'
import type { DefiReadToWrite } from '../../db/defi/write-positions.ts'
import { transact } from '../../db/transact.ts'
import { isNetworkId } from '../../db/values/networks.ts'
import { SourceRejected } from '../errors.ts'
import { readTokenMetadata } from '../nodes/rpc-contracts.ts'
import type { RpcClient } from '../nodes/rpc.ts'
import { readAtHead } from './block-reader.ts'
import type { BlockReader } from './block-reader.ts'
import type { Protocol, ProtocolReading } from './position.ts'
import { PROTOCOLS } from './protocols.ts'

export interface DefiReadResult {
  positions: number
  /** number of protocols and positions that did not answer and keep their last reading */
  unknown: number
  /** ids of coins that have no price yet */
  unpriced: string[]
}

export const LONGEST_FAILURE = 2_000

/**
 * Reads a wallet's positions in every protocol of a network at one block and replaces the stored ones. A
 * protocol that reverts keeps its last reading. Throws SourceUnavailable when the node does not answer and
 * SourceRejected when no protocol does.
 */
export async function readWallet(
  deps: { pool: pg.Pool; client: RpcClient; now: () => Date; onProgress: () => void },
  { walletId, address, networkId }: DefiWallet,
): Promise<DefiReadResult> {
  const { pool, client, now } = deps
  const reader = await readAtHead(client, deps.onProgress)
  const readings = await readProtocols({ reader, networkId, account: address })
  const { source, block } = reader
  // No Multicall3, or a node of another chain: nothing could be read.
  if (readings.answered.length === 0) throw new SourceRejected(source, readings.failure ?? 'no protocols')
  const fetchedAt = now()
  const tokens = readings.positions.flatMap(({ assets }) => assets.flatMap(({ token }) => token ?? []))
  await learnTokens({ pool, client, networkId, tokens, fetchedAt })
  const read = { walletId, networkId, block, source, fetchedAt, ...readings }
  await transact(pool, ({ client: connection }) => writeDefiRead(connection, read))
  return {
    positions: readings.positions.length,
    unknown: readings.reasons.length,
    unpriced: await unpricedCoins(pool, { walletId, networkId }),
  }
}

async function readProtocols(input: {
  reader: BlockReader
  networkId: string
  account: string
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

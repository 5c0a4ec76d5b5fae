import type pg from 'pg'
import { networkOf } from '../../db/chain/wallet-assets.ts'
import { insertTokens } from '../../db/chain/tokens.ts'
import type { DefiWallet } from '../../db/defi/due-wallets.ts'
import { failDefiRead } from '../../db/defi/fail-read.ts'
import { readMarks, settleMarks } from '../../db/defi/marks.ts'
import { walletTokens } from '../../db/defi/wallet-tokens.ts'
import { unknownTokens } from '../../db/defi/unknown-tokens.ts'
import { writeDefiRead } from '../../db/defi/write-positions.ts'
import type { DefiReadToWrite } from '../../db/defi/write-positions.ts'
import { transact } from '../../db/transact.ts'
import { SourceRejected } from '../errors.ts'
import type { NetworkAtBlock, OpenNetwork } from './network-at-block.ts'
import type { ProtocolReading } from './position.ts'

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
  open: OpenNetwork
  now: () => Date
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
  const { pool, open, now } = deps
  const walletIds = wallets.map(({ walletId }) => walletId)
  const marks = await readMarks(pool, { networkId, walletIds })
  const network = await open({ networkId, walletIds })
  const { source, block } = network
  const tokensOf = await walletTokens(pool, { networkId, walletIds })
  const readings = await Promise.all(
    wallets.map(async (wallet) => {
      const { received = [], held: tokens = [], nfts = [] } = tokensOf.get(wallet.walletId) ?? {}
      const protocols = network.protocolsOf({ ...wallet, received, tokens, nfts })
      return { walletId: wallet.walletId, ...(await readProtocols(protocols)) }
    }),
  )
  const fetchedAt = now()
  const tokens = readings.flatMap(({ positions }) =>
    positions.flatMap(({ assets }) => assets.flatMap(({ token }) => token ?? [])),
  )
  await learnTokens({ pool, network, networkId, tokens, fetchedAt })
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

type ProtocolOfWallet = ReturnType<NetworkAtBlock['protocolsOf']>[number]

async function readProtocols(
  protocols: readonly ProtocolOfWallet[],
): Promise<Pick<DefiReadToWrite, 'answered' | 'unknown' | 'positions' | 'failure'> & { reasons: string[] }> {
  const outcomes = await Promise.all(protocols.map(attempt))
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

async function attempt({ id: protocolId, read }: ProtocolOfWallet): Promise<Outcome> {
  try {
    return { protocolId, reading: await read(), reason: '' }
  } catch (error) {
    if (error instanceof SourceRejected) return { protocolId, reading: null, reason: error.message }
    throw error
  }
}

/** Reads and stores symbol and decimals of unknown tokens. */
async function learnTokens(input: {
  pool: pg.Pool
  network: NetworkAtBlock
  networkId: string
  tokens: readonly string[]
  fetchedAt: Date
}): Promise<void> {
  const { pool, network, networkId, fetchedAt } = input
  const unknown = await unknownTokens(pool, { networkId, addresses: input.tokens })
  if (unknown.length === 0) return
  const { blockchain } = await networkOf(pool, networkId)
  const tokens = await network.readTokens(unknown)
  await insertTokens(pool, { networkId, blockchain, source: network.source, fetchedAt, tokens })
}

import type pg from 'pg'
import { insertTokens, majorSymbols, newTokens, reclassifyToken, tokenFacts } from '../../db/chain/tokens.ts'
import type { TokenFacts } from '../../db/chain/tokens.ts'
import { transact } from '../../db/transact.ts'
import { readTokenMetadata } from './sources/rpc-contracts.ts'
import type { RpcSource } from './sources/rpc.ts'
import { foldSymbol, spamReason } from './spam.ts'

const TOKENS_PER_BATCH = 50

/**
 * Asks the contracts of a wallet's new tokens what they are, maps tokens to coins by contract address (never by
 * symbol), and marks spam. A token that is known by now, or no longer spam, has its transactions derived anew.
 */
export async function identifyTokens(
  deps: { pool: pg.Pool; rpc: RpcSource; now: () => Date; onProgress: () => void },
  input: { networkId: string; blockchain: string; address: string },
): Promise<{ tokens: number; reclassified: number }> {
  const { pool, rpc } = deps
  const { networkId, blockchain } = input
  const unknown = await newTokens(pool, input)
  for (let i = 0; i < unknown.length; i += TOKENS_PER_BATCH) {
    const tokens = await readTokenMetadata(rpc.client, unknown.slice(i, i + TOKENS_PER_BATCH))
    await insertTokens(pool, { networkId, blockchain, source: rpc.source, fetchedAt: deps.now(), tokens })
    deps.onProgress()
  }
  const majors = new Set((await majorSymbols(pool)).map(foldSymbol))
  let reclassified = 0
  for (const facts of await tokenFacts(pool, input)) {
    const next = judge(facts, { blockchain, majors })
    if (next.coinId === facts.coin_id && next.spamReason === facts.spam_reason) continue
    await transact(pool, ({ client }) =>
      reclassifyToken(client, { networkId, address: facts.address, ...next }),
    )
    reclassified++
  }
  return { tokens: unknown.length, reclassified }
}

function judge(facts: TokenFacts, world: { blockchain: string; majors: ReadonlySet<string> }) {
  const { symbol, name, receivers } = facts
  const known = facts.known_coin_id !== null || facts.priced
  return {
    coinId: facts.known_coin_id ?? `${facts.address}_${world.blockchain}`,
    spamReason: spamReason({ symbol, name, known, receivers, isNft: facts.is_nft }, world.majors),
  }
}

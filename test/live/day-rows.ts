import type pg from 'pg'
import { TRANSFER_TOPIC } from '../upstreams/nodes/chain.ts'
import type { MemoryChain } from '../upstreams/nodes/chain.ts'

// What is stored of wallets, and what the chain holds of them, as comparable texts.

/** Transfers and fees of wallets in blocks up to one, counted from the chain itself. */
export function chainRows(
  chain: MemoryChain,
  {
    wallets,
    through,
    withInternals,
  }: { wallets: ReadonlySet<string>; through: number; withInternals: boolean },
): { transfers: string[]; balances: string[] } {
  const transfers = new Set<string>()
  const balances: string[] = []
  for (const wallet of wallets) {
    const tokens = new Set<string>()
    for (const { block, transaction } of chain.naming(wallet)) {
      if (block.number > through) continue
      const { hash, from, to, value, succeeds, logs, internals } = transaction
      const add = (kind: string, sent: string, received: string, raw: bigint) => {
        if (sent === wallet || received === wallet)
          transfers.add(`${block.number} ${hash} ${kind} ${sent} ${received} ${raw}`)
      }
      if (succeeds && value > 0n) add('native', from, to!, value)
      for (const { address, topics, data } of logs)
        if (topics[0] === TRANSFER_TOPIC) {
          add(address, ownerOf(topics[1]!), ownerOf(topics[2]!), BigInt(data))
          tokens.add(address)
        }
      if (withInternals) for (const one of internals) add('internal', one.from, one.to, one.value)
    }
    const add = (token: string | null, raw: bigint) => {
      if (raw > 0n) balances.push(`${wallet} ${token ?? 'native'} ${raw}`)
    }
    add(null, chain.nativeBalance(wallet, through))
    for (const token of tokens) add(token, chain.tokenBalance({ token, owner: wallet }, through))
  }
  return { transfers: [...transfers].sort(), balances: balances.sort() }
}

const ownerOf = (topic: string) => `0x${topic.slice(26)}`

export async function storedRows(
  pool: pg.Pool,
  { networkId, wallets }: { networkId: string; wallets: ReadonlySet<string> },
): Promise<{ transfers: string[]; balances: string[] }> {
  const transfers = await pool.query<{ text: string }>(
    `select concat_ws(' ', block_number, tx_hash, coalesce(token_address, kind), from_address, to_address, raw) as text
     from transfers where network_id = $1 and (from_address = any($2) or to_address = any($2))
       and kind in ('native', 'internal', 'erc20')`,
    [networkId, [...wallets]],
  )
  const balances = await pool.query<{ text: string }>(
    `select concat_ws(' ', address, coalesce(token_address, 'native'), raw) as text
     from balances join wallets on id = wallet_id where network_id = $1 and raw > 0 and address = any($2)`,
    [networkId, [...wallets]],
  )
  const texts = ({ rows }: typeof transfers) => rows.map(({ text }) => text).sort()
  return { transfers: texts(transfers), balances: texts(balances) }
}

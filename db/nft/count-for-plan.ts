import { sql } from 'kysely'
import type { Db } from '../schema.ts'

/**
 * Counts what decides how many requests collections take. Pages: at least one of each collection on a marketplace, and
 * of sales, those of an interval of `marketSeconds`.
 */
export async function countForPlan(
  db: Db,
  options: {
    /** the only one of which floor prices are read without the marketplace */
    network: string
    perPage: { tokens: number; offers: number; sales: number }
    mostPages: number
    marketSeconds: number
  },
) {
  const { network, perPage, mostPages, marketSeconds } = options
  const { rows } = await sql<
    Record<
      | 'NFT collections'
      | 'NFT collections on a marketplace'
      | 'NFT collections on Ethereum'
      | 'NFT collections on Solana'
      | 'wallets on Solana for NFTs'
      | 'pages of NFT tokens'
      | 'pages of NFT offers'
      | 'pages of NFT sales',
      number
    >
  >`
    select count(*) filter (where c.network_id <> 'solana')::int as "NFT collections", count(slug)::int as "NFT collections on a marketplace",
      count(*) filter (where c.network_id = ${network})::int as "NFT collections on Ethereum",
      count(*) filter (where c.network_id = 'solana')::int as "NFT collections on Solana",
      (select count(*)::int from wallet_syncs where network_id = 'solana') as "wallets on Solana for NFTs",
      coalesce(sum(greatest(1, ceil(tokens / ${perPage.tokens}::numeric))) filter (where slug is not null), 0)::int
        as "pages of NFT tokens",
      coalesce(sum(least(${mostPages}, greatest(1, ceil(offers / ${perPage.offers}::numeric))))
        filter (where slug is not null), 0)::int as "pages of NFT offers",
      coalesce(sum(least(${mostPages}, greatest(1, ceil(sales * ${marketSeconds} / 86400.0 / ${perPage.sales}))))
        filter (where slug is not null), 0)::int as "pages of NFT sales"
    from nft_collections c
    left join lateral (select count(*) as tokens from nft_assets a
      where a.network_id = c.network_id and a.address = c.address) t on true
    left join lateral (select count(*) as offers from nft_listings l
      where l.network_id = c.network_id and l.address = c.address) o on true
    left join lateral (select count(*) as sales from nft_sales s
      where s.network_id = c.network_id and s.address = c.address and s.at > now() - interval '1 day') s on true`.execute(
    db,
  )
  return rows[0]!
}

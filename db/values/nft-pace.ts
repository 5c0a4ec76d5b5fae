/** How often each step reads a collection again, and how many collections one run of refreshNfts reads. */
export const NFT_PACE = {
  description: { seconds: 86_400, perRun: 200 },
  gecko: { seconds: 86_400, perRun: 40 },
  assets: { seconds: 86_400, perRun: 40 },
  // With a free key, a run still ends before the next one, which reads the rest.
  market: { seconds: 1_500, perRun: 150 },
} as const

/**
 * How often the NFTs of a wallet of Solana are read, and of how many wallets in a run: tokens come and go without a
 * transfer that its history shows.
 */
export const HOLDINGS_PACE = { seconds: 3_600, perRun: 300 } as const

/** Collection id in the same form as the coin ids of tokens without a known coin. */
export const collectionId = ({ address, blockchain }: { address: string; blockchain: string }): string =>
  `${address}_${blockchain}`

/** Id of a collection, made as the ids of small tokens are. */
export const collectionId = ({ address, blockchain }: { address: string; blockchain: string }): string =>
  `${address}_${blockchain}`

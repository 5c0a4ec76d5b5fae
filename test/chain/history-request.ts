import type { HistoryRequest } from '../../activities/chain/wallet-source.ts'

/** A request for the first part of a wallet's history, with nothing of it stored and a final head, unless `asked` differs. */
export const historyRequest = (
  asked: Pick<HistoryRequest, 'address' | 'cursor' | 'headBlock'> & Partial<HistoryRequest>,
): HistoryRequest => ({
  accounts: [],
  settled: asked.headBlock,
  lookBack: true,
  next: null,
  findStored: async () => new Set(),
  onProgress: () => {},
  ...asked,
})

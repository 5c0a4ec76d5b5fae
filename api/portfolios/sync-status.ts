import type { Portfolio } from '../../db/portfolios/read-portfolios.ts'

/** What is stated by hand needs no sync, but its figures are computed as well. */
export const isSynced = ({ kind, syncedAt, pending }: Portfolio): boolean =>
  (kind === 'manual' || syncedAt !== null) && !pending

import type { Portfolio } from '../../db/portfolios/read-portfolios.ts'

/** A manual portfolio needs no sync, but its figures have to be computed. */
export const isSynced = ({ kind, syncedAt, pending }: Portfolio): boolean =>
  (kind === 'manual' || syncedAt !== null) && !pending

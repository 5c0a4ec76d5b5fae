import type { ReadonlyDb } from '../schema.ts'

export interface NetworkRow {
  id: string
  blockchain: string
  name: string
  icon: string
  /** null for non-EVM networks */
  chain_id: string | null
}

/** Networks with a configured source, in display order. */
export async function readActiveNetworks(db: ReadonlyDb): Promise<NetworkRow[]> {
  return db
    .selectFrom('networks')
    .select(['id', 'blockchain', 'name', 'icon', 'chain_id'])
    .where('active', '=', true)
    .orderBy('position')
    .execute()
}

import type { Selectable } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import type { Network } from './tables.ts'

export type NetworkRow = Pick<Selectable<Network>, 'id' | 'blockchain' | 'name' | 'icon' | 'chain_id'>

/** Networks with a configured source, in display order. */
export async function readActiveNetworks(db: ReadonlyDb): Promise<NetworkRow[]> {
  return db
    .selectFrom('networks')
    .select(['id', 'blockchain', 'name', 'icon', 'chain_id'])
    .where('active', '=', true)
    .orderBy('position')
    .execute()
}

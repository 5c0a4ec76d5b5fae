import type pg from 'pg'

/**
 * Locks a network until the transaction ends: ranges can be written and derived concurrently, a rewind and a move of
 * old rows run alone.
 */
export async function lockNetwork(
  client: pg.ClientBase,
  input: { networkId: string; mode: 'write' | 'rewind' },
): Promise<void> {
  const suffix = input.mode === 'write' ? '_shared' : ''
  await client.query(`select pg_advisory_xact_lock${suffix}(hashtext($1))`, [`chain ${input.networkId}`])
}
